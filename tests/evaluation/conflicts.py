"""How well new statements are held against remembered ones, on labelled cases (LT-03, LT-04).

A case is right when the outcome is the expected one and exactly the expected memories are named.

    python -m tests.evaluation.conflicts             the open half's figures
    python -m tests.evaluation.conflicts --errors    and every case that went wrong
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from shared.models.relations import Resolution, Statement, resolve
from tests.evaluation.scoring import Case, by_language, cases, share

OUTCOMES: Final = {"supersede": "replaces", "merge": "same", "keep": "new", "unclear": "disputes"}
"""Labels of the data and what they ask for."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with what was made of it."""

    case: Case
    resolution: Resolution

    @property
    def named(self) -> set[str]:
        """Keys of the memories the resolution names."""
        return {self.case["remembered"][index]["key"] for index in self.resolution.of}

    @property
    def right(self) -> bool:
        """Whether the outcome and the memories are the expected ones."""
        expected = self.case["expected"]
        return self.resolution.outcome == OUTCOMES[expected["outcome"]] and self.named == set(expected["of"])


def judge(case: Case) -> Judged:
    """Resolve one case."""
    said, remembered = case["said"], case["remembered"]
    resolution = resolve(
        Statement(said["text"], said["type"]),
        [Statement(memory["text"], memory["type"]) for memory in remembered],
    )
    return Judged(case, resolution)


def score(labelled: Sequence[Case]) -> dict[str, Any]:
    """Return the share of right cases over `labelled`, per language and per expected outcome too."""
    judged = [judge(case) for case in labelled]
    wanted = Counter(OUTCOMES[one.case["expected"]["outcome"]] for one in judged)
    met = Counter(OUTCOMES[one.case["expected"]["outcome"]] for one in judged if one.right)
    return {
        "cases": len(judged),
        "correct": _correct(judged),
        "languages": {
            language: _correct([one for one in judged if one.case["lang"] == language])
            for language in by_language(labelled)
        },
        "outcomes": {outcome: round(share(met[outcome], count), 4) for outcome, count in sorted(wanted.items())},
    }


def _correct(judged: Sequence[Judged]) -> float:
    return round(share(sum(one.right for one in judged), len(judged)), 4)


def main() -> None:
    """Print the figures of the open half."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--errors", action="store_true", help="print every case that went wrong")
    labelled = cases("conflicts", "open")
    if arguments.parse_args().errors:
        for one in (judge(case) for case in labelled):
            if not one.right:
                print(one.case["id"], "said:", one.case["said"]["text"])
                print("    remembered:", " | ".join(f"{m['key']}: {m['text']}" for m in one.case["remembered"]))
                print("    expected:", one.case["expected"], "got:", one.resolution.outcome, sorted(one.named))
    print(json.dumps(score(labelled), indent=2))


if __name__ == "__main__":
    main()
