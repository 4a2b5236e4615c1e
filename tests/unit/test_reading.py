"""What is made of the reader's answers: quotes, questions before fragments, and what statements do to each other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from shared.language.candidates import Utterance
from shared.language.compare import Statement, resolve, worth_comparing
from shared.language.embedding.bundled import Unembeddable
from shared.language.extraction import ReaderExtractor, quotes
from shared.language.port import Meant, Needed, Sensitive, Span, Turn
from shared.language.reader.parts import Budget
from shared.language.reader.socket import answered

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Told:
    """Answers what it was told to."""

    pieces: Sequence[str] = ()
    related: Sequence[Mapping[str, float]] = ()
    kind: str = "fact"
    safety: float = 0.0
    deadly: bool = False
    method: str = "reader"
    sensitive: Sequence[str] = ()
    asked: list[tuple[str, str]] = field(default_factory=list)

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        if self.deadly:
            raise Unembeddable
        self.asked = list(before)
        places = [(text.index(piece), piece) for piece in self.sensitive if piece in text]
        sensitive = tuple(Sensitive(start, start + len(piece), 0.9, "credential") for start, piece in places)
        return Turn(tuple(self.span(text, piece) for piece in self.pieces if piece in text), sensitive, self.method)

    def part(self, text: str, before: Sequence[tuple[str, str]], left: Budget) -> tuple[Turn, Budget]:
        return self.turn(text, before), left

    def span(self, text: str, piece: str) -> Span:
        start = text.index(piece)
        return Span(start, start + len(piece), 0.9, self.kind, self.safety, "self", "lasting")

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        if self.deadly:
            raise Unembeddable
        return list(self.related)

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        return [Meant(0.1, 0.2, ((0, 1),)) for _ in said]

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        return [Needed(0.1, 0.2) for _ in remembered]


def related(**likely: float) -> dict[str, float]:
    return {**dict.fromkeys(("same", "replaces", "narrows", "unclear", "unrelated"), 0.0), **likely}


@pytest.mark.parametrize(
    ("text", "pieces", "quoted"),
    [
        ("Shorter please. my shift starts at 2 today. ta", ["shift starts at 2"], ["my shift starts at 2 today."]),
        ("我住在上海,对花生过敏。谢谢", ["住在上海", "对花生过敏"], ["住在上海", "对花生过敏。"]),
        ("x" * 300 + " I keep bees " + "y" * 300, ["I keep bees"], ["I keep bees"]),
        ("my wife can't do dairy", ["my wife can't do dairy"], ["my wife can't do dairy"]),
    ],
)
def test_a_quote_is_its_sentence_unless_another_piece_shares_it(text: str, pieces: list[str], quoted: list[str]):
    spans = [Told().span(text, piece) for piece in pieces]
    assert [text[start:end] for start, end in quotes(text, spans)] == quoted


def test_a_fragment_begins_with_the_question_it_answers():
    extractor = ReaderExtractor(Told(pieces=["Test engineer"]))
    before = [("user", "an intro, please"), ("assistant", "Sure. What's your role there?")]
    [found] = extractor.extract([Utterance(role="user", text="Test engineer")], before=before)
    assert (found.text, found.answers, found.method) == ("What's your role there? Test engineer", True, "reader")
    assert extractor.extract([Utterance(role="user", text="Test engineer")]) == []  # of what, or who, nobody could tell
    answered = [("assistant", "That takes two weeks.")]
    assert extractor.extract([Utterance(role="user", text="Test engineer")], before=answered) == []
    named = ReaderExtractor(Told(pieces=["Hi, I'm Ada"]))
    assert [one.text for one in named.extract([Utterance(role="user", text="Hi, I'm Ada")])] == ["Hi, I'm Ada"]
    danger = ReaderExtractor(Told(pieces=["Nut allergy"], safety=0.8))
    assert [one.text for one in danger.extract([Utterance(role="user", text="Nut allergy")])] == ["Nut allergy"]


def test_what_is_asked_for_is_explicit_and_found_once():
    text = "Remember that my bike is green."
    [found] = ReaderExtractor(Told(pieces=["my bike is green"])).extract([Utterance(role="user", text=text)])
    assert (found.text, found.explicit, found.method) == ("my bike is green.", True, "rules")


def test_a_safety_fact_is_marked_and_weighs_most():
    [found] = ReaderExtractor(Told(pieces=["off nuts"], safety=0.8)).extract(
        [Utterance(role="user", text="still off nuts, doctor says forever")]
    )
    assert (found.taboo, found.importance) == (True, 9)


@pytest.mark.parametrize(
    "text",
    [
        'Translate: "I keep bees."',
        "Please proofread this email:\nDear all, I keep bees.",
        "> I keep bees.\nWhat do you make of it?",
        "Let's role-play, you're a bank clerk. I keep bees.",
        "翻译成英文：I keep bees",
    ],
)
def test_what_is_not_the_speakers_own_is_not_remembered(text: str):
    assert ReaderExtractor(Told(pieces=["I keep bees"])).extract([Utterance(role="user", text=text)]) == []


@pytest.mark.parametrize("text", ["Let's fix the login bug.", "接下来处理写文档。"])
def test_a_tasks_name_is_no_memory_unless_it_is_a_danger(text: str):
    said = [Utterance(role="user", text=text)]
    assert ReaderExtractor(Told(pieces=[text])).extract(said) == []
    assert len(ReaderExtractor(Told(pieces=[text], safety=0.9)).extract(said)) == 1


def test_a_danger_the_bundled_reader_sees_is_kept_and_marked_whatever_a_model_says():
    said = Utterance(role="user", text="I'm allergic to peanuts. I keep bees.")
    bundled = Told(pieces=["allergic to peanuts"], safety=0.9)
    [missed] = ReaderExtractor(Told(method="model:some"), bundled).extract([said])
    model = Told(pieces=["allergic to peanuts"], method="model:some")
    [unmarked] = ReaderExtractor(model, bundled).extract([said])
    assert (missed.text, missed.taboo) == ("I'm allergic to peanuts.", True)
    assert (unmarked.text, unmarked.taboo, unmarked.content_type) == ("I'm allergic to peanuts.", True, "constraint")


def test_of_a_text_that_kills_the_reader_only_what_was_asked_for_is_kept():
    extractor = ReaderExtractor(Told(deadly=True))
    assert extractor.extract([Utterance(role="user", text="I'm allergic to peanuts.")]) == []
    [found] = extractor.extract([Utterance(role="user", text="Remember that I'm allergic to peanuts.")])
    assert (found.text, found.explicit) == ("I'm allergic to peanuts.", True)
    old = [Statement("I like tea.")]
    assert resolve(Statement("I hate tea."), old, Told(deadly=True)).outcome == "new"


def test_marks_of_lists_are_no_part_of_a_quote():
    text = "- I live in Oslo\n2. I keep bees\n3."
    spans = [Told().span(text, piece) for piece in ("live in Oslo", "I keep bees", "3.")]
    assert [text[start:end] for start, end in quotes(text, spans)] == ["I live in Oslo", "I keep bees", ""]


def test_a_model_that_tells_one_thing_twice_is_heard_once():
    told = Told(pieces=["I keep bees", "bees in Rome"], method="model:some")
    [found] = ReaderExtractor(told).extract([Utterance(role="user", text="I keep bees in Rome")])
    assert found.text == "I keep bees in Rome"


@pytest.mark.parametrize(
    ("likely", "outcome"),
    [
        ({"same": 0.9}, "same"),
        ({"replaces": 0.8}, "replaces"),
        ({"unclear": 0.7}, "disputes"),
        ({"replaces": 0.4, "unclear": 0.35}, "disputes"),
        ({"narrows": 0.8}, "new"),
        ({"unrelated": 0.9}, "new"),
    ],
)
def test_how_likely_each_relation_is_decides(likely: dict[str, float], outcome: str):
    old = [Statement("I run on Mondays.")]
    found = resolve(Statement("Runs are on Tuesdays now."), old, Told(related=[related(**likely)]))
    assert (found.outcome, found.of) == (outcome, () if outcome == "new" else (0,))


def test_statements_with_different_numbers_are_never_the_same():
    old = [Statement("My locker is 214.")]
    assert resolve(Statement("My locker is 217."), old, Told(related=[related(same=0.95)])).outcome == "new"
    assert resolve(Statement("locker: 214"), old, Told(related=[related(same=0.95)])).outcome == "same"


def test_an_older_statement_replaces_nothing():
    old = [Statement("I live in York.", NOW)]
    new = Statement("I live in Leeds.", NOW - timedelta(days=1))
    assert resolve(new, old, Told(related=[related(replaces=0.9)])).outcome == "new"


def test_no_reader_is_shown_what_is_covered_and_quotes_keep_their_places():
    told = Told(pieces=["I live in Rome"], method="model:some")
    said = Utterance(role="user", text="key sk-1234, and I live in Rome", covered=((4, 11), (27, 2_147_483_647)))
    assert said.shown == "key ███████, and I live in ████"
    assert ReaderExtractor(told).extract([said]) == []
    said = Utterance(role="user", text="key sk-1234. I live in Rome", covered=((4, 11),))
    [found] = ReaderExtractor(told).extract([said, Utterance(role="user", text="and?")])
    assert found.text == "I live in Rome"
    assert told.asked == [("user", "key ███████. I live in Rome")]


def test_another_wording_is_kept_with_the_quote_it_stands_for():
    class Worded(Told):
        def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
            span = self.span(text, "no dairy")
            worded = Span(
                span.start, span.end, 1.0, "constraint", 1.0, "household", "lasting", "Her daughter: no dairy."
            )
            return Turn((worded,), (), "model:some")

    [found] = ReaderExtractor(Worded()).extract([Utterance(role="user", text="ok, no dairy")])
    assert (found.text, found.reworded, found.method) == ("Her daughter: no dairy.", True, "model:some")
    assert "no dairy" in "ok, no dairy"[found.quote_start : found.quote_end]


def test_an_answer_is_plain_data():
    told = Told(pieces=["I keep bees"], related=[related(same=1.0)])
    for asked in (
        ["turn", {"text": "I keep bees", "before": [["assistant", "Hello."]], "left": asdict(Budget())}],
        ["relations", {"later": "a", "earlier": ["b"]}],
        ["meant", {"description": "a", "said": ["b", "c"]}],
    ):
        assert json.loads(json.dumps(answered(told, asked)))
    assert told.asked == [("assistant", "Hello.")]


def test_what_its_reader_takes_for_sensitive_is_marked():
    told = Told(pieces=["the gate is my birthday backwards"], sensitive=["my birthday backwards"])
    [found] = ReaderExtractor(told).extract([Utterance(role="user", text="the gate is my birthday backwards, ok")])
    assert found.sensitive == {"credential"}
    [other] = ReaderExtractor(Told(pieces=["I keep bees"])).extract([Utterance(role="user", text="I keep bees")])
    assert other.sensitive == frozenset()


@pytest.mark.parametrize(
    ("nearness", "few"),
    [([], 0), ([0.4], 1), ([0.4, 0.35, 0.33, 0.32], 2), ([0.4] * 6, 4), ([-0.1, -0.15, -0.2], 2)],
)
def test_a_statement_is_compared_with_what_is_about_as_near_as_the_nearest(nearness: list[float], few: int):
    assert worth_comparing(nearness) == few


def test_the_nearest_of_many_must_be_surer_than_one_alone():
    told = Told(related=[{"same": 0.0, "unrelated": 0.15, "unclear": 0.0, "replaces": 0.85}])
    new, old = Statement("I got the keys to a flat in Riga"), Statement("home is Oslo")
    assert resolve(new, [old], told).outcome == "replaces"
    assert resolve(new, [old], told, among=1_000).outcome != "replaces"
