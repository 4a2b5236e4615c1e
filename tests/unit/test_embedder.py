"""Questions without their language: where a text is written in another one, what it says decides."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from math import sqrt

import pytest

from shared.language.embedding.bundled import (
    DIMENSIONS,
    LANGUAGE,
    TEXT_MAX,
    bundled_embedder,
    embeddable,
    language_direction,
    without_language,
)
from tests.evaluation.language import direction
from tests.support.noisy.sitecustomize import with_noise

STORED = json.loads(LANGUAGE.read_text(encoding="utf-8"))


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def test_what_is_left_of_a_vector_has_nothing_of_the_direction() -> None:
    direction = language_direction()
    first = [1.0, *[0.0] * (DIMENSIONS - 1)]
    left = without_language(first)

    assert dot(left, direction) == pytest.approx(0.0, abs=1e-6)
    assert dot(left, left) == pytest.approx(1.0)
    assert without_language([x + 3 * y for x, y in zip(first, direction, strict=True)]) == pytest.approx(left, abs=1e-5)


def test_the_stored_direction_is_that_of_its_sentences() -> None:
    assert dot(STORED["direction"], STORED["direction"]) == pytest.approx(1.0, abs=1e-4)
    assert dot(STORED["direction"], direction(STORED["sentences"])) == pytest.approx(1.0, abs=1e-3)


def test_questions_are_unit_vectors_that_have_no_language() -> None:
    for question in ("Where do I live?", "我住在哪里？"):
        vector = bundled_embedder().query(question)
        assert len(vector) == DIMENSIONS
        assert dot(vector, vector) == pytest.approx(1.0, abs=1e-5)
        assert dot(vector, STORED["direction"]) == pytest.approx(0.0, abs=1e-5)


def test_noise_moves_each_number_by_what_it_says_and_keeps_the_length() -> None:
    vector = [1 / sqrt(DIMENSIONS)] * DIMENSIONS
    noisy = with_noise(vector, 1e-6)

    assert noisy != vector
    assert max(abs(x - y) for x, y in zip(vector, noisy, strict=True)) <= 2e-6
    assert dot(noisy, noisy) == pytest.approx(1.0, abs=1e-9)


EVERY_CHARACTER = """
import random, sys, unicodedata
from shared.language.embedding.bundled import PASSAGE_TOKENS, BundledE5, embeddable

every = int(sys.argv[1])
assigned = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
growing = [one for one in assigned if len(unicodedata.normalize("NFKC", one)) > 1]
chosen = sorted({*growing, *assigned[::every]})
random.Random(1).shuffle(chosen)
model = BundledE5()
ids = lambda text: model._encoder.ids(embeddable(text), PASSAGE_TOKENS)
for one in chosen:
    ids(one * 200)
for start in range(0, len(chosen), 40):
    ids("".join(one * 200 for one in chosen[start : start + 40]))
    ids("".join(chosen[start : start + 40]) * 200)
assert len(model.passages(["\ufdfa" * 20])) == len([model.query("\ufdfa" * 20)])
sys.stdout.write("alive")
"""


@pytest.mark.parametrize("every", [100, pytest.param(1, marks=pytest.mark.full)])
def test_no_character_kills_the_engine_alone_or_among_others(every: int) -> None:
    """In a process of its own, which must not die; 20 times U+FDFA killed the engine that was used before."""
    told = [sys.executable, "-c", EVERY_CHARACTER, str(every)]
    embedding = subprocess.run(told, capture_output=True, text=True, check=False)
    assert (embedding.returncode, embedding.stdout) == (0, "alive"), embedding.stderr[-500:]


def test_no_text_becomes_longer_than_the_engine_is_given() -> None:
    assert len(embeddable("\ufdfa" * 10_000)) == TEXT_MAX
