"""What a description asks for, and which part of a text goes: what rules tell, beside what the reader judges (X-06)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from shared.kernel.spans import cut
from shared.language.clauses import clauses, to_cut
from shared.language.corrections import to_correct, with_statement
from shared.language.descriptions import TERMS_MAX, Description, Said, TooManyTerms
from shared.language.meaning import PIECES_READ, Meant, echoed, follows, meant_of
from shared.language.port import Meant as Reading
from tests.support.tables import each

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


class Told:
    """Answers what it was told to: how likely each text is meant wholly; of several pieces together less."""

    def __init__(self, **likely: float) -> None:
        self._likely = likely
        self.asked: list[str] = []

    def meant(self, _description: str, said: Sequence[str]) -> list[Reading]:
        self.asked += said
        return [self._reading(one) for one in said]

    def _reading(self, text: str) -> Reading:
        likely = max((likely for key, likely in self._likely.items() if key in text), default=0.0)
        return Reading(likely if len(clauses(text)) == 1 else 0.7 * likely, 0.0)

    def relations(self, _later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        none = dict.fromkeys(("same", "narrows", "unclear"), 0.0)
        likely = [reading.whole for reading in self.meant("", earlier)]
        return [{**none, "replaces": one, "unrelated": 1 - one} for one in likely]


def described(text: str) -> Description:
    return Description(text, NOW)


def found(description: str, text: str, readings: Told, **more: object) -> Meant | None:
    said = Said(text=text, at=NOW, **more)  # type: ignore[arg-type]
    return meant_of(described(description), [said], readings)[0]  # type: ignore[arg-type]


@each(
    "text",
    [
        "forget everything", "Delete all my data.", "please forget everything you know about me", "delete my stuff",
        "wipe the lot", "forget me", "erase everything I've ever told you", "忘掉一切", "把我的所有东西都删掉",
        "清空全部记忆", "删除关于我的所有信息", "忘记我说过的所有话",
    ],
)  # fmt: skip
def test_all_there_is_can_be_meant(text: str) -> None:
    assert described(text).nothing == "everything"


@each(
    "text",
    ["everything about Frank", "delete my stuff about work", "all my allergies", "关于工作的一切", "my data plan"],
)
def test_all_of_something_is_not_all_there_is(text: str) -> None:
    assert described(text).nothing is None


@each("text", ["forget that", "delete it please", "忘掉那些吧", "?"])
def test_a_description_may_name_nothing(text: str) -> None:
    assert described(text).nothing == "nothing_named"


@each(
    ("text", "is_when"),
    [
        ("what I said about Tom last week", True),
        ("everything since yesterday", True),
        ("上周我说的关于小王的事", True),
        ("my trip in March", False),
        ("the appointment on 5 May", False),
        ("三月的旅行", False),
    ],
)
def test_a_time_is_when_it_was_told_where_telling_is_named_or_nothing_else(text: str, is_when: bool) -> None:
    assert (described(text).window is not None) == is_when


def test_what_was_said_at_another_time_is_not_meant() -> None:
    description = described("what I said about Tom yesterday")
    said = [Said(text="Tom is ill.", at=NOW - timedelta(days=days)) for days in (1, 9)]
    yesterday, before = meant_of(description, said, Told(Tom=0.99))  # type: ignore[arg-type]
    assert yesterday is not None
    assert before is None


def test_a_time_alone_means_all_that_was_said_then() -> None:
    readings = Told()
    assert found("everything since yesterday", "I like tea.", readings) == Meant(reason="words", sure=True)


@each(
    ("asked", "text"),
    [
        ("order AB-1234", "your order ab 1234 is late"), ("AB1234", "AB-1234"), ("5551234", "555-1234"),
        ("card 4111 1111", "card 41111111"), ("the twelfth of April", "12 April it is"), ("五月三日的事", "5月3号见"),
        ("mail to ann.b-2@x.org", "ann.b-2@x.org"),
    ],
)  # fmt: skip
def test_an_identifier_or_a_day_is_found_however_it_is_written(asked: str, text: str) -> None:
    description = described(asked)
    assert description.identifiers
    assert description.share(text) == 1.0


@each(
    ("asked", "text"),
    [("AB-1234", "AB-12345"), ("AB-1234", "XAB-1234"), ("5551234", "5551234567"), ("4 May", "14 May")],
)
def test_a_longer_identifier_is_another_one(asked: str, text: str) -> None:
    assert described(asked).share(text) < 1.0


def test_where_an_identifier_is_named_nothing_without_it_is_meant() -> None:
    said = [Said(text=text, at=NOW) for text in ("The gate is 9055.", "The gate is 5590.")]
    one, other = meant_of(described("the gate code 9055"), said, Told(gate=0.9))  # type: ignore[arg-type]
    assert one is not None
    assert one.reason == "identifier"
    assert other is None


def test_what_holds_an_identifier_is_found_however_unlikely_its_reader_thinks_it() -> None:
    meant = found("what happens on the twelfth of April", "The table read is on 12 April.", Told(table=0.05))
    assert meant == Meant(reason="identifier", sure=False)


def test_what_holds_every_word_is_meant_sooner_and_nothing_else_then() -> None:
    said = [Said(text=text, at=NOW) for text in ("Frank came.", "Somebody came.")]
    frank, somebody = meant_of(described("Frank"), said, Told(Frank=0.17, Somebody=0.6))  # type: ignore[arg-type]
    assert (frank, somebody) == (Meant(reason="words", sure=True), None)
    assert meant_of(described("Frank"), said[:1], Told(Frank=0.1)) == [None]  # type: ignore[arg-type]
    [alone] = meant_of(described("Frank"), said[1:], Told(Somebody=0.6))  # type: ignore[arg-type]
    assert alone == Meant(reason="meaning", sure=False)


def test_a_label_counts_like_the_text() -> None:
    assert found("the taxes", "17 receipts", Told(), label="taxes 2026") == Meant(reason="label", sure=True)


@each(
    ("text", "gone", "left"),
    [
        ("I drive a Skoda and I work at the zoo.", "Skoda", "I work at the zoo."),
        ("I drive a Skoda and I work at the zoo.", "zoo", "I drive a Skoda."),
        ("I teach fencing on Tuesdays and write limericks for money.", "fencing", "I write limericks for money."),
        ("I'm allergic to nuts, and my son is afraid of dogs.", "nuts", "my son is afraid of dogs."),
        ("My cousin lives in Dayton. He has two dogs. I love jazz.", "Dayton", "I love jazz."),
        ("I love jazz. My cousin lives in Dayton.", "Dayton", "I love jazz."),
        ("我白天在动物园喂河马，晚上给综艺写字幕。", "河马", "我晚上给综艺写字幕。"),
        ("我住在上海。我对花生过敏。", "花生", "我住在上海。"),
        ("Our teacher is called Yue, teaches maths, throws chalk at us. I like him.", "Yue", "I like him."),
    ],
)
def test_of_a_text_only_what_is_meant_goes_and_the_rest_still_reads(text: str, gone: str, left: str) -> None:
    meant = found("something of the kind", text, Told(**{gone: 0.9}))
    assert meant is not None
    assert cut(text, meant.spans) == left


def test_a_text_that_says_nothing_else_goes_as_a_whole() -> None:
    assert found("jazz", "I love jazz.", Told(jazz=0.9)) == Meant(reason="words", sure=True)


def test_of_a_long_text_what_holds_a_word_is_read() -> None:
    text = "I like tea. " * 2_600 + "I met Frank."
    readings = Told(Frank=0.95)
    meant = found("everything about Frank", text, readings)
    assert meant is not None
    assert [text[start:end].strip() for start, end in meant.spans] == ["I met Frank."]
    assert readings.asked == ["I met Frank"]


def test_of_too_long_a_text_nothing_is_read_and_all_of_it_is_proposed() -> None:
    readings = Told(Frank=0.95)
    text = "I met Frank today. " * (PIECES_READ + 1)
    assert found("everything about Frank", text, readings) == Meant(reason="words", sure=False)
    assert readings.asked == []


@each(
    ("before", "text", "expected"),
    [
        ("My cousin Frank lives in Dayton.", "He has two dogs. I have none.", "He has two dogs. "),
        ("我表弟住在大连。", "他有两只狗。我没有。", "他有两只狗。"),
        ("My cousin Frank lives in Dayton.", "I have two dogs.", None),
        ("I keep bees.", "They sting.", None),
    ],
)
def test_what_is_said_next_goes_where_it_goes_on_about_it(before: str, text: str, expected: str | None) -> None:
    meant = follows(before, Meant(reason="words", sure=True), text)
    assert (meant and "".join(text[start:end] for start, end in meant.spans)) == expected


def test_an_answer_goes_as_far_as_it_repeats_what_goes() -> None:
    answer = "Noted, a Skoda. And have fun at the zoo!"
    meant = echoed(answer, ["I drive a Skoda."], ["I work at the zoo."])
    assert meant is not None
    assert cut(answer, meant.spans) == "And have fun at the zoo!"
    assert echoed("OK.", ["I drive a Skoda."], []) is None


def test_a_correction_means_one_of_several_only_where_it_is_far_likelier() -> None:
    said = ["I run on Mondays.", "I swim on Mondays."]
    clear = to_correct("running", "I run on Fridays.", said, Told(run=0.9))  # type: ignore[arg-type]
    assert (clear.meant, clear.why) == (0, None)
    both = to_correct("Mondays", "I rest.", said, Told(Mondays=0.9))  # type: ignore[arg-type]
    assert (both.meant, both.why, both.candidates) == (None, "several_meant", (0, 1))
    none = to_correct("chess", "I play chess.", said, Told())  # type: ignore[arg-type]
    assert (none.meant, none.why, none.candidates) == (None, "nothing_meant", ())


@each(
    ("text", "spans", "said", "expected"),
    [
        ("I like tea.", (), "I like coffee.", "I like coffee."),
        ("I drive, and the hall is red.", ((7, 28),), "The hall is lime.", "I drive. The hall is lime."),
        ("厨房是白的，客厅是灰的。", ((5, 11),), "客厅是绿的。", "厨房是白的。客厅是绿的。"),
    ],
)  # fmt: skip
def test_a_correction_takes_the_place_of_what_it_is_about(
    text: str, spans: tuple[tuple[int, int], ...], said: str, expected: str
) -> None:
    assert with_statement(text, spans, said) == expected


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called; unlike time, it is the same on every machine."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@each(
    "said", ["My sister Anna has {} dogs, and she walks them on Sundays. ", "我妹妹小雨有{}只狗，她每天带它们去公园。"]
)
def test_twice_as_much_text_costs_twice_as_much(said: str) -> None:
    def text(count: int) -> str:
        return "".join(said.format(number) for number in range(count))

    description = described("everything about Anna and 小雨")
    for work in (description.share, clauses, lambda one: to_cut(one, clauses(one)[::2])):
        work(text(200))  # words are looked up once
        once, twice = (calls(partial(work, text(count))) for count in (100, 200))
        assert twice < 2.4 * once


HOSTILE = [
    "everything ", "all ", "my whole ", "do not remember ", "before I x", "first ", "the 1st of ", "a-", "1 2 3 ",
    "忘记", "关于我的", "的", "全都", "可以", "所有", "三月",
]  # fmt: skip


@each("again", HOSTILE)
def test_no_description_takes_long_to_understand(again: str) -> None:
    began = time.thread_time()
    description = described((again * 1_000)[:995] + "zebra")
    assert description.nothing in (None, "nothing_named")
    assert isinstance(description.identifiers, frozenset)
    assert time.thread_time() - began < 1.0


def test_a_description_looks_for_so_many_words_and_no_more() -> None:
    names = [f"zeb{letter}k" for letter in "abcdefghijklmnopqrstuvwxyz"]
    described(" ".join(names[:TERMS_MAX])).check()
    with pytest.raises(TooManyTerms):
        described(" ".join(names[: TERMS_MAX + 1])).check()


@each(
    ("text", "at", "holds"),
    [
        ("what I said today", "2026-11-24T16:30:00Z", True),  # 0:30 there, on the 25th
        ("what I said today", "2026-11-24T15:30:00Z", False),
        ("what I said yesterday", "2026-11-24T15:30:00Z", True),
        ("忘掉我今天说的", "2026-11-24T16:30:00Z", True),
        ("忘掉我11月25日说的", "2026-11-24T16:30:00Z", True),
        ("忘掉我11月25日说的", "2026-11-25T16:30:00Z", False),
    ],
)
def test_days_are_those_of_the_persons_time_zone(text: str, at: str, *, holds: bool) -> None:
    now = datetime.fromisoformat("2026-11-25T07:30:00").replace(tzinfo=ZoneInfo("Asia/Shanghai"))
    window = Description(text, now).window
    assert window is not None
    assert window.holds(datetime.fromisoformat(at)) == holds
