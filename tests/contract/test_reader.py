"""The bundled reader on text of an author it never learned from, and over its socket."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.language.extraction import ReaderExtractor
from shared.language.reader.engine import Reader
from shared.language.reader.reading import LocalReadings
from shared.language.reader.socket import SocketReadings
from shared.language.relations import resolve
from shared.models.extraction import Utterance
from tests.evaluation import authors, by_author
from tests.support.backing import embedder_process


@pytest.fixture(scope="module")
def readings() -> LocalReadings:
    return LocalReadings(Reader())


def test_it_finds_what_a_stranger_would_keep(readings: LocalReadings) -> None:
    reader = ReaderExtractor(readings)
    figures = by_author.extraction(
        authors.sessions("juniper"),
        lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before),
    )
    assert figures["recall"] >= 0.80, figures
    assert figures["safety_recall"] >= 0.88, figures
    assert figures["precision"] >= 0.65, figures


def test_it_tells_how_a_strangers_statements_relate(readings: LocalReadings) -> None:
    figures = by_author.pairs(authors.pairs("juniper"), lambda new, old: resolve(new, old, readings))
    assert figures["conflicts"] >= 0.85, figures
    assert figures["duplicates"]["f1"] >= 0.84, figures
    assert figures["duplicates"]["precision"] >= 0.87, figures


@pytest.mark.parametrize("text", ["", " ", "\u0000", "\ufdfa" * 200, "🍕" * 500, "word " * 9_000, "\u200b\ufffc"])
def test_no_text_is_too_strange_or_long(readings: LocalReadings, text: str) -> None:
    found = readings.turn(text, [("assistant", text)])
    assert all(0 <= one.start < one.end <= len(text) for one in (*found.kept, *found.sensitive))
    assert len(readings.relations(text, [text, "I keep bees."])) == 2
    assert len(readings.meant("bees", [text])) == 1


def test_over_its_socket_it_says_the_same(readings: LocalReadings, tmp_path: Path) -> None:
    said = "ok shorter. btw my wife can't do dairy"
    with embedder_process(tmp_path):
        asked = SocketReadings(tmp_path)
        assert asked.turn(said, [("assistant", "Sure.")]) == readings.turn(said, [("assistant", "Sure.")])
        [ours], [its] = asked.relations("no dairy for her", [said]), readings.relations("no dairy for her", [said])
        assert ours == pytest.approx(its)
        assert asked.meant("dairy", [said]) == readings.meant("dairy", [said])
