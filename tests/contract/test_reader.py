"""The bundled reader on text of authors it never learned from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from shared.language.candidates import Utterance
from shared.language.compare import Statement, resolve
from shared.language.embedding.bundled import bundled_embedder
from shared.language.extraction import ReaderExtractor
from shared.language.port import Turn
from shared.language.reader import parts, reading
from shared.language.reader.engine import Read, Reader
from shared.language.reader.reading import LocalReadings
from tests.evaluation import authors, by_author
from tests.evaluation.timelines import timelines
from tests.support.tables import each

EACH = 2
"""Every other life of hawthorn is read: a line takes a twentieth of a second."""


@pytest.fixture(scope="module")
def readings() -> LocalReadings:
    return LocalReadings(Reader())


def extracted(readings: LocalReadings, who: str) -> dict[str, Any]:
    reader = ReaderExtractor(readings)
    return by_author.extraction(
        authors.sessions(who),
        lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before),
    )


def test_it_finds_what_a_stranger_would_keep(readings: LocalReadings) -> None:
    figures = extracted(readings, "juniper")
    assert figures["recall"] >= 0.83, figures
    assert figures["safety_recall"] >= 0.95, figures
    assert figures["precision"] >= 0.68, figures
    assert figures["precision_either"] >= 0.77, figures


def test_of_chats_about_other_things_it_keeps_what_their_author_would(readings: LocalReadings) -> None:
    figures = extracted(readings, "jessamine")
    assert figures["recall"] >= 0.95, figures
    assert figures["safety_recall"] == 1.0, figures
    assert figures["precision"] >= 0.47, figures


def test_it_tells_how_a_strangers_statements_relate(readings: LocalReadings) -> None:
    figures = by_author.pairs(authors.pairs("tamarind"), lambda new, old: resolve(new, old, readings))
    assert figures["conflicts"] >= 0.95, figures
    assert figures["duplicates"]["f1"] >= 0.82, figures
    assert figures["duplicates"]["precision"] >= 0.95, figures


def test_of_a_strangers_statements_few_are_lost_among_each_other(readings: LocalReadings) -> None:
    """Pairs say nothing of that: of two statements of a chat nearly none replaces the other."""
    figures = by_author.met(authors.sessions("juniper"), lambda new, old: resolve(new, old, readings))
    assert figures["lost"] <= 0.025, figures
    assert figures["replaced"] >= 0.6, figures


def test_over_months_few_statements_are_lost_and_most_corrections_seen(readings: LocalReadings) -> None:
    figures = by_author.over_months(
        timelines("hawthorn")[::EACH], partial(resolve, readings=readings), bundled_embedder()
    )
    assert figures["lost"] <= 0.04, figures
    assert figures["replaced"] >= 0.55, figures
    assert figures["repeated"] >= 0.6, figures


def test_what_only_leads_in_is_no_memory(readings: LocalReadings) -> None:
    text = "By the way, I'm allergic to peanuts, and 我住在上海。"
    kept = [text[one.start : one.end] for one in readings.turn(text, ()).kept]
    assert kept == ["I'm allergic to peanuts", "我住在上海。"]


@each(
    ("one", "other"),
    [
        ("我喜欢滑雪", "I love skating."), ("我住在上海", "I live in Shenzhen"),
        ("我对花生过敏", "I'm allergic to walnuts"),
        ("我对虾过敏", "I can't eat crab"), ("我养了一只猫", "I have a dog"), ("我妹妹是医生", "My sister is a nurse"),
        ("我妹妹是医生", "My brother is a doctor"), ("我喝绿茶", "I drink black tea"),
        ("我在学法语", "I'm learning German"),
        ("我不吃猪肉", "I don't eat beef"), ("我会弹钢琴", "I play the violin"), ("我怕狗", "I'm afraid of cats"),
        ("我儿子五岁", "My daughter is five"), ("我是素食者", "I'm vegan"), ("周二看牙医", "dentist on Thursday"),
        ("我喜欢红色", "My favourite colour is orange"), ("我在银行上班", "I work at an insurance company"),
    ],
)  # fmt: skip
def test_two_things_of_a_kind_are_never_taken_for_one_across_languages(
    one: str, other: str, readings: LocalReadings
) -> None:
    for later, earlier in ((other, one), (one, other)):
        assert resolve(Statement(later), [Statement(earlier)], readings).outcome != "same"


def test_a_sentence_among_others_that_would_be_passed_over_is_read_alone(readings: LocalReadings) -> None:
    said = "I live in Oslo. I love jazz."
    assert [said[one.start : one.end] for one in readings.turn(said, ()).kept] == ["I live in Oslo", "I love jazz"]


def test_however_many_sentences_there_are_few_are_read_alone(
    readings: LocalReadings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "DOUBTED_FROM", 0.0)
    monkeypatch.setattr(reading, "KEPT_FROM", 1.1)
    monkeypatch.setattr(reading, "SAFETY_KEPT_FROM", 1.1)
    asked: list[str] = []
    real = Reader.turn

    def counted(reader: Reader, text: str, before: Sequence[tuple[str, str]], *, most: int | None) -> list[Read]:
        asked.append(text)
        return real(reader, text, before, most=most)

    monkeypatch.setattr(Reader, "turn", counted)
    readings.turn("It rains. " * 200, ())
    assert len(asked) == len(list(parts.parts("It rains. " * 200))) + parts.AGAIN_MAX


def test_a_long_message_is_read_in_short_parts_up_to_a_limit(readings: LocalReadings) -> None:
    said = "I'm allergic to walnuts. " + "The weather was fine and we went for a walk. " * 600 + "I live in Oslo."
    found = list(parts.parts(said))
    assert "".join(said[start:end] for start, end in found) == said
    assert max(end - start for start, end in found) <= parts.PART_MAX
    kept = readings.turn(said, ()).kept
    assert said[kept[0].start : kept[0].end] == "I'm allergic to walnuts"
    spent: list[int] = []

    def read(text: str, before: Sequence[tuple[str, str]], left: parts.Budget) -> tuple[Turn, parts.Budget]:
        turn, left = readings.part(text, before, left)
        spent.append(left.segments)
        return turn, left

    parts.by_parts(read, said, ())
    assert spent[-1] <= 0 < spent[-2]
    assert len(spent) < len(found), "the rest is not read"


@pytest.mark.parametrize("text", ["", " ", "\u0000", "\ufdfa" * 200, "🍕" * 500, "word " * 9_000, "\u200b\ufffc"])
def test_no_text_is_too_strange_or_long(readings: LocalReadings, text: str) -> None:
    found = readings.turn(text, [("assistant", text)])
    assert all(0 <= one.start < one.end <= len(text) for one in (*found.kept, *found.sensitive))
    assert len(readings.relations(text, [text, "I keep bees."])) == 2
    assert len(readings.meant("bees", [text])) == 1
