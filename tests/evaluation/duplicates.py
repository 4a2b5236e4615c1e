"""How well two ways of saying one thing are told from two things, on labelled pairs (LT-04).

Two texts are predicted to be the same when either, said after the other, resolves to "same".

    python -m tests.evaluation.duplicates             the open half's figures
    python -m tests.evaluation.duplicates --errors    and every pair that went wrong
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from shared.models.relations import Statement, resolve
from tests.evaluation.scoring import Case, Tally, by_language, cases


def predicted_same(case: Case) -> bool:
    """Return whether the two texts of a pair are taken for one."""
    a, b = Statement(case["a"], "fact"), Statement(case["b"], "fact")
    return any(resolve(later, [earlier]).outcome == "same" for later, earlier in ((b, a), (a, b)))


def score(labelled: Sequence[Case]) -> dict[str, Any]:
    """Return precision, recall and F1 of "same" over `labelled`, per language too."""
    return {
        "cases": len(labelled),
        **_tally(labelled).figures(),
        "languages": {language: _tally(own).figures() for language, own in by_language(labelled).items()},
    }


def _tally(labelled: Sequence[Case]) -> Tally:
    total = Tally()
    for case in labelled:
        predicted = predicted_same(case)
        total.add(
            Tally(
                right=int(predicted and case["same"]),
                wrong=int(predicted and not case["same"]),
                missing=int(not predicted and case["same"]),
            )
        )
    return total


def main() -> None:
    """Print the figures of the open half."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--errors", action="store_true", help="print every pair that went wrong")
    labelled = cases("duplicates", "open")
    if arguments.parse_args().errors:
        for case in labelled:
            if predicted_same(case) != case["same"]:
                print(case["id"], "same" if case["same"] else "different", "|", case["a"], "|", case["b"])
    print(json.dumps(score(labelled), indent=2))


if __name__ == "__main__":
    main()
