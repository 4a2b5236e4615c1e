"""Vectors that memories are searched with are moved towards what is needed or concerned; see ADR 0051."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from shared.language.compare import worth_comparing
from shared.language.embedding.bundled import bundled_embedder, language_direction
from shared.language.embedding.maps import towards_concerned, towards_needed
from tests.evaluation import authors
from tests.evaluation.timelines import timelines

PEOPLE = 4
"""Of each author; a line takes a hundredth of a second to embed."""


@pytest.mark.parametrize("move", [towards_needed, towards_concerned])
def test_a_moved_vector_has_length_one_and_no_language(move: Callable[[Sequence[float]], list[float]]) -> None:
    direction = np.array(language_direction())
    for text in ("plan us a picnic", "我们搬到成都了"):
        moved = np.array(move(bundled_embedder().query(text)))
        assert np.linalg.norm(moved) == pytest.approx(1.0, abs=1e-5)
        assert moved @ direction == pytest.approx(0.0, abs=1e-5)


def test_what_a_statement_replaces_is_among_the_few_it_is_compared_with() -> None:
    found = lines = 0
    for timeline in timelines("hawthorn")[:PEOPLE]:
        vectors = np.array(bundled_embedder().passages([line.text for line in timeline.lines]), np.float32)
        for place, line in enumerate(timeline.lines):
            replaced = {old for old, relation in line.relations.items() if relation == "replaces"}
            lines += bool(replaced)
            looking = towards_concerned(vectors[place].tolist())
            if near := timeline.nearest(place, vectors, looking):
                near = near[: worth_comparing((vectors[near] @ np.array(looking)).tolist())]
            found += bool(replaced & set(near))
    assert lines > 20
    assert found / lines >= 0.93


def test_what_an_answer_needs_comes_sooner_than_by_the_questions_own_vector() -> None:
    sooner = 0
    for one in authors.questions("saffron")[:PEOPLE]:
        memories = np.array(bundled_embedder().passages(one.memories))
        for asked in one.asked:
            if asked.needs:
                own = bundled_embedder().query(asked.question)
                ranks = [
                    min(np.argsort(-(memories @ np.array(vector))).tolist().index(need) for need in asked.needs)
                    for vector in (own, towards_needed(own))
                ]
                sooner += (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
    assert sooner > 5
