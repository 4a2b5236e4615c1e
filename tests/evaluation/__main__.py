"""Judge what is remembered by labelled cases: prints `EVAL_MEMORY {json}`, held-out halves apart (`make eval-memory`).

The rules were written from the open halves only; whoever changes a rule never reads the others.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from tests.evaluation import conflicts, duplicates, extraction, sensitivity
from tests.evaluation.scoring import cases

SETS: Final = {
    "extraction": extraction.score,
    "conflicts": conflicts.score,
    "sensitivity": sensitivity.score,
    "duplicates": duplicates.score,
}
TARGETS: Final = {
    "extraction": {"precision": 0.90, "recall": 0.75},
    "conflicts": {"correct": 0.90},
    "sensitivity": {"recall": 0.95, "precision": 0.90},
    "duplicates": {"f1": 0.90},
}


def main() -> int:
    results: dict[str, Any] = {}
    missed: list[str] = []
    for name, score in SETS.items():
        results[name] = {half: score(cases(name, half)) for half in ("open", "held_out")}
        for half, found in results[name].items():
            for figure, target in TARGETS[name].items():
                print(
                    f"{name:12s} {half:9s} {figure:10s} {found[figure]:.3f}  (>= {target:.2f}, {found['cases']} cases)"
                )
                if found[figure] < target:
                    missed.append(f"{name}.{half}.{figure}")
    if missed:
        print(f"below their targets: {', '.join(missed)}")
    print("EVAL_MEMORY " + json.dumps({**results, "missed": missed}, ensure_ascii=False))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
