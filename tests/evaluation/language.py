"""Work out the direction between English and Chinese vectors, for `shared/language/embedding/language.json`.

The file's sentences are English ones with their translations, about everyday things and none of a test's. Whoever
changes one of them, or the model, runs this again:

    python -m tests.evaluation.language
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Final

from shared.language.embedding.bundled import LANGUAGE, BundledE5

DECIMALS: Final = 5
"""Far more than the direction is known to."""


def direction(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the mean difference between the vectors of Chinese and English sentences, of length 1."""
    model = BundledE5()
    english = model.passages([one for one, _ in pairs])
    chinese = model.passages([other for _, other in pairs])
    mean = [
        sum(there) - sum(here)
        for here, there in zip(zip(*english, strict=True), zip(*chinese, strict=True), strict=True)
    ]
    length = sqrt(sum(x * x for x in mean))
    return [x / length for x in mean]


def write() -> None:
    """Replace the direction in the file by that of its sentences."""
    found = json.loads(LANGUAGE.read_text(encoding="utf-8"))
    found["direction"] = [round(x, DECIMALS) for x in direction(found["sentences"])]
    sentences = ",\n    ".join(json.dumps(pair, ensure_ascii=False) for pair in found["sentences"])
    numbers = json.dumps(found["direction"])
    LANGUAGE.write_text(
        f'{{\n  "sentences": [\n    {sentences}\n  ],\n  "direction": {numbers}\n}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    write()
