"""How surely the reader must speak when it compares a statement with many: what `compare.LIMITS` was chosen by.

    make eval-among

Reads the timelines of the author hawthorn with each least probability of replacing (`replaces`) and each exponent
(`among`, how fast the least probabilities grow with the number compared). Prints the share of lines that are lost, of
true replacements and repetitions that are seen, of unclear lines about which the person is asked, and of clear ones
about which they are asked in vain. See `by_author.over_months`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from shared.language.compare import LIMITS, resolve
from shared.language.embedding.bundled import bundled_embedder
from shared.language.reader.engine import WEIGHTS, Reader
from shared.language.reader.reading import LocalReadings
from tests.evaluation.by_author import over_months
from tests.evaluation.timelines import timelines

CHOSEN_BY: Final = "hawthorn"
LEAST: Final = (0.5, 0.6, 0.7, 0.8, 0.9)
FIGURES: Final = ("lost", "replaced", "repeated", "asked", "bothered")
EXPONENTS: Final = (0.0, 0.25, 0.5)


class Remembering(LocalReadings):
    """Reads each pair once."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader)
        self._read: dict[tuple[str, str], Any] = {}

    def relations(self, new: str, remembered: Sequence[str]) -> Any:
        unread = [one for one in remembered if (new, one) not in self._read]
        for one, found in zip(unread, super().relations(new, unread), strict=True):
            self._read[new, one] = found
        return [self._read[new, one] for one in remembered]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="with these weights instead of the bundled ones")
    given = parser.parse_args()
    readings = Remembering(Reader(given.weights))
    found = {}
    for exponent in EXPONENTS:
        for least in LEAST:
            limits = replace(LIMITS, replaces=least, among=exponent)
            one = over_months(
                timelines(CHOSEN_BY),
                partial(resolve, readings=readings, limits=limits),
                bundled_embedder(),
            )
            found[f"{exponent} {least}"] = one
            figures = "  ".join(f"{name} {one[name]:.3f}" for name in FIGURES)
            print(f"among {exponent:.2f}, replaces from {least:.2f}: {figures}", flush=True)
    print("EVAL_AMONG " + json.dumps(found))


if __name__ == "__main__":
    main()
