"""How well vectors alone find what an answer needs, and what a statement concerns: `make eval-maps`.

Both by authors that the maps (`embedding.maps`) were never taught by, with the text's own vector and with the one that
the product searches with. Questions: each needs some of 16 to 32 memories; the share of these that is among the nearest
1, 3, 5 and 8. Statements: the share of lines that replace, repeat or may contradict earlier ones and find one of them
among the nearest 2, 4, 6 and 12.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from shared.language.embedding.bundled import bundled_embedder
from shared.language.embedding.maps import towards_concerned, towards_needed
from tests.evaluation import authors
from tests.evaluation.scoring import share
from tests.evaluation.timelines import timelines

NEEDED: Final = (1, 3, 5, 8)
CONCERNED: Final = (2, 4, 6, 12)
Move = Callable[[Sequence[float]], list[float]]
CONCERNS: Final = ("replaces", "same", "unclear")


def questions(author: str, move: Move) -> dict[str, Any]:
    """Return the share of needed memories that are among the nearest, by depth."""
    among: Counter[int] = Counter()
    needed = 0
    for one in authors.questions(author):
        memories = np.array(bundled_embedder().passages(one.memories))
        for asked in one.asked:
            if asked.needs:
                vector = bundled_embedder().query(asked.question)
                order = np.argsort(-(memories @ np.array(move(vector)))).tolist()
                needed += len(asked.needs)
                for depth in NEEDED:
                    among[depth] += len(asked.needs & set(order[:depth]))
    return {str(depth): round(share(among[depth], needed), 3) for depth in NEEDED}


def statements(author: str, move: Move) -> dict[str, Any]:
    """Return by relation the share of lines that find one of those they have it with among the nearest, by depth."""
    among: Counter[tuple[str, int]] = Counter()
    lines: Counter[str] = Counter()
    for timeline in timelines(author):
        vectors = np.array(bundled_embedder().passages([line.text for line in timeline.lines]), np.float32)
        for place, line in enumerate(timeline.lines):
            near = timeline.nearest(place, vectors, move(vectors[place].tolist()))
            for relation in set(line.relations.values()) & set(CONCERNS):
                lines[relation] += 1
                wanted = {old for old, one in line.relations.items() if one == relation}
                for depth in CONCERNED:
                    among[relation, depth] += bool(wanted & set(near[:depth]))
    return {
        relation: {str(depth): round(share(among[relation, depth], lines[relation]), 3) for depth in CONCERNED}
        for relation in CONCERNS
    }


def main() -> None:
    untaught = authors.TESTED_ONLY | authors.CHOSEN_BY
    results: dict[str, Any] = {}
    for judge, file, moved in (
        (questions, "questions.txt", towards_needed),
        (statements, "timelines.txt", towards_concerned),
    ):
        for who in sorted(untaught & set(authors.authors(file))):
            for vectors, move in (("own", list), ("moved", moved)):
                found = judge(who, move)
                results.setdefault(judge.__name__, {}).setdefault(who, {})[vectors] = found
                print(judge.__name__, who, vectors, json.dumps(found), flush=True)
    print("EVAL_MAPS " + json.dumps(results))


if __name__ == "__main__":
    main()
