"""The bundled reader on text of authors it never learned from."""

from __future__ import annotations

import pytest

from shared.language.extraction import ReaderExtractor
from shared.language.reader.engine import Reader
from shared.language.reader.reading import LocalReadings
from shared.language.relations import resolve
from shared.models.extraction import Utterance
from tests.evaluation import authors, by_author


@pytest.fixture(scope="module")
def readings() -> LocalReadings:
    return LocalReadings(Reader())


def test_it_finds_what_a_stranger_would_keep(readings: LocalReadings) -> None:
    reader = ReaderExtractor(readings)
    figures = by_author.extraction(
        authors.sessions("juniper"),
        lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before),
    )
    assert figures["recall"] >= 0.82, figures
    assert figures["safety_recall"] >= 0.93, figures
    assert figures["precision"] >= 0.68, figures
    assert figures["precision_either"] >= 0.76, figures


def test_it_tells_how_a_strangers_statements_relate(readings: LocalReadings) -> None:
    figures = by_author.pairs(authors.pairs("tamarind"), lambda new, old: resolve(new, old, readings))
    assert figures["conflicts"] >= 0.95, figures
    assert figures["duplicates"]["f1"] >= 0.82, figures
    assert figures["duplicates"]["precision"] >= 0.96, figures


@pytest.mark.parametrize("text", ["", " ", "\u0000", "\ufdfa" * 200, "🍕" * 500, "word " * 9_000, "\u200b\ufffc"])
def test_no_text_is_too_strange_or_long(readings: LocalReadings, text: str) -> None:
    found = readings.turn(text, [("assistant", text)])
    assert all(0 <= one.start < one.end <= len(text) for one in (*found.kept, *found.sensitive))
    assert len(readings.relations(text, [text, "I keep bees."])) == 2
    assert len(readings.meant("bees", [text])) == 1
