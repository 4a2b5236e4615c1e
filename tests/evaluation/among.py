"""How surely the reader must speak when it compares a statement with many: what `compare.AMONG` was chosen by.

    make eval-among

The reader was taught pairs of which half belong together; of a dozen memories hardly one concerns a new statement. The
least probability therefore grows with how many are compared (`shared.language.compare.among`). For each exponent this
prints, of the replacements that count when two statements are compared alone, the share that still counts among twelve:
of true ones, and of false ones, where the twelve are the statements of the other author that are nearest in meaning and
share at most one word.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Final

import numpy as np

from shared.language.compare import REPLACES_FROM, among, share_words
from shared.language.embedding.bundled import bundled_embedder
from tests.evaluation import authors
from tests.evaluation.bundled import bundled
from tests.evaluation.scoring import share

CHOSEN_BY: Final = ("juniper", "tamarind")
NEAREST: Final = 12
STATEMENTS: Final = 150
"""Of each author: a comparison takes a hundredth of a second, and each has twelve."""
EXPONENTS: Final = (0.0, 0.25, 0.4, 0.57, 0.75, 1.0)


def true_replacements() -> list[float]:
    """Return how sure the reader is of each replacement that the authors wrote."""
    written = [pair for author in CHOSEN_BY for pair in authors.pairs(author) if pair.relation == "replaces"]
    return [bundled().relations(pair.later, [pair.earlier])[0]["replaces"] for pair in written]


def false_replacements() -> list[float]:
    """Return how sure the reader is that a statement replaces one of somebody else."""
    said = {author: sorted({pair.later for pair in authors.pairs(author)}) for author in CHOSEN_BY}
    vectors = {author: np.array(bundled_embedder().passages(texts)) for author, texts in said.items()}
    found: list[float] = []
    for author, other in (CHOSEN_BY, CHOSEN_BY[::-1]):
        for place in np.linspace(0, len(said[author]) - 1, STATEMENTS).astype(int):
            text = said[author][place]
            near = np.argsort(-(vectors[other] @ vectors[author][place]))
            beside = (said[other][number] for number in near if not share_words(text, said[other][number]))
            found += [one["replaces"] for one in bundled().relations(text, list(islice(beside, NEAREST)))]
    return found


def main() -> None:
    true = [one for one in true_replacements() if one >= REPLACES_FROM]
    false = [one for one in false_replacements() if one >= REPLACES_FROM]
    print(f"counted when compared alone: {len(true)} true replacements, {len(false)} false ones")
    kept = {}
    for exponent in EXPONENTS:
        least = among(REPLACES_FROM, NEAREST, exponent=exponent)
        right, wrong = (share(sum(one >= least for one in each), len(each)) for each in (true, false))
        print(f"exponent {exponent:.2f}, at least {least:.3f}: {right:.2f} of true ones, {wrong:.2f} of false ones")
        kept[exponent] = (right, wrong)
    print("EVAL_AMONG " + json.dumps(kept))


if __name__ == "__main__":
    main()
