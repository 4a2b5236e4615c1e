"""What the evaluations share: reading labelled cases, and how precision and recall are counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

DATA: Final = Path(__file__).parent / "data"

Half: TypeAlias = Literal["open", "held_out"]
Case = Mapping[str, Any]
"""One labelled line of a data set; every one has `id` and `lang`."""


def cases(name: str, half: Half) -> list[Case]:
    """Return the labelled cases of one half: rules are written from `open` and judged by `held_out`."""
    lines = (DATA / f"{name}.{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def by_language(labelled: Iterable[Case]) -> dict[str, list[Case]]:
    """Return the cases of each language, in their order."""
    groups: dict[str, list[Case]] = {}
    for case in labelled:
        groups.setdefault(case["lang"], []).append(case)
    return dict(sorted(groups.items()))


@dataclass(slots=True)
class Tally:
    """Counts of right, wrong and missing answers."""

    right: int = 0
    wrong: int = 0
    missing: int = 0

    def add(self, other: Tally) -> None:
        """Count `other`'s answers too."""
        self.right += other.right
        self.wrong += other.wrong
        self.missing += other.missing

    @property
    def precision(self) -> float:
        """Right answers among those given; 1.0 when none was given."""
        return share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Right answers among those expected; 1.0 when none was expected."""
        return share(self.right, self.right + self.missing)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def figures(self) -> dict[str, float]:
        """Return the counts and what follows from them, rounded to four places."""
        return {
            "right": self.right,
            "wrong": self.wrong,
            "missing": self.missing,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
        }


def share(part: int, whole: int) -> float:
    """Return `part` of `whole` as a ratio; 1.0 of nothing, which nothing can be missing from."""
    return part / whole if whole else 1.0


def best_pairs(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a largest one-to-one matching as {left: right}; `edges[left]` are the rights it may take, best first."""
    taken: dict[int, int] = {}

    def place(left: int, tried: set[int]) -> bool:
        for right in edges[left]:
            if right in tried:
                continue
            tried.add(right)
            if right not in taken or place(taken[right], tried):
                taken[right] = left
                return True
        return False

    for left in range(len(edges)):
        place(left, set())
    return {left: right for right, left in taken.items()}
