"""What the bundled reader sees in single messages, by authors it never learned from: `make eval-habits`.

Prints a line for each author and least certainty: the share of what it says that is right, the share of what is there
that it says, of statements about oneself how many it takes for their contrary, and of messages that show nothing in how
many it sees something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.language.port import Habit
from shared.traits.catalogue import catalogue
from tests.evaluation import authors
from tests.evaluation.authors import Shown
from tests.evaluation.bundled import bundled

LEAST: Final = (0.4, 0.6, 0.8)
Side = tuple[str, bool]
"""A behavior, and whether it is shown rather than its contrary."""


@dataclass(slots=True)
class Counts:
    """Counts over the messages of an author."""

    said: int = 0
    right: int = 0
    there: int = 0
    found: int = 0
    stated: int = 0
    turned: int = 0
    nothing: int = 0
    seen: int = 0

    def add(self, row: Shown, habits: Sequence[Habit]) -> None:
        """Count one message."""
        said = {(one.key, one.shown != "contrary") for one in habits}
        if row.form == "none":
            self.nothing += 1
            self.seen += bool(said)
            return
        there = {(key, True) for key in row.keys} | ({(row.contrary, False)} if row.contrary else set())
        right = there | {side for one in there for side in _same(one)}
        self.said += len(said)
        self.right += len(said & right)
        main = (row.contrary, False) if row.contrary else (row.keys[0], True)
        self.there += 1
        self.found += bool(said & ({main, *_same(main)} | (there if row.contrary else set())))
        if row.form in ("stated", "contrary"):
            self.stated += 1
            self.turned += bool(said & {(key, not shown) for key, shown in (main, *_same(main))})

    def line(self) -> str:
        return (
            f"precision {self.right / max(1, self.said):.2f}  recall {self.found / max(1, self.there):.2f}  "
            f"turned round {self.turned / max(1, self.stated):.2f}  of nothing {self.seen / max(1, self.nothing):.2f}"
        )


def _same(side: Side) -> list[Side]:
    """Return what says the same: of two opposites, one denied is the other shown."""
    opposite = catalogue()[side[0]].opposite
    return [(opposite, not side[1])] if opposite else []


def main() -> None:
    readings = bundled()
    for name in sorted(authors.TESTED_ONLY & set(authors.authors("habits.txt"))):
        rows = [row for row in authors.habits(name) if row.form != "feedback"]
        read = [readings.habits(row.text) for row in rows]
        for least in LEAST:
            counts = Counts()
            for row, habits in zip(rows, read, strict=True):
                counts.add(row, [one for one in habits if one.sure >= least])
            print(f"{name:<10} {len(rows):>4} messages  from {least}  {counts.line()}", flush=True)


if __name__ == "__main__":
    main()
