"""Describing costs in proportion to what is read and to what is looked for, and never more than its time (X-06)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from shared.models.descriptions import TERMS_MAX, Correcting, Said, Search, reading
from shared.runtime.apart import session
from tests.bench.describing import TERMS, TEXTS
from tests.support.tables import each

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called; unlike time, it is the same on every machine."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    reading.read.cache_clear()
    reading.words.cache_clear()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def finds(about: str, text: str) -> None:
    search = Search(about, NOW)
    said = [Said(text=text, at=NOW)]
    search.learn(said)
    search.begin(loosely=False)
    search.memories(said)


def corrects(about: str, text: str) -> None:
    correcting = Correcting(about, NOW)
    correcting.add([text[start : start + 200] for start in range(0, len(text), 200)])
    correcting.resolve("My sister Anna has one dog.")


FEW = " and ".join(TERMS.split(", ")[:3])
"""A few terms are enough to see how costs grow."""


@each("name", [name for name in TEXTS if "only" not in name or "introductions" in name])
def test_twice_as_much_text_costs_twice_as_much(name: str) -> None:
    for work in (finds, corrects):
        work(FEW, TEXTS[name](1_600))  # words are looked up once
        once, twice = (calls(partial(work, FEW, TEXTS[name](size))) for size in (800, 1_600))
        assert twice < 2.4 * once, (work.__name__, once, twice)


@each("name", ["English"])
def test_thrice_as_many_terms_cost_at_most_thrice_as_much(name: str) -> None:
    for work in (finds, corrects):
        text = TEXTS[name](800)
        work(TERMS, text)
        few, many = (calls(partial(work, about, text)) for about in (FEW, TERMS))
        assert many < 3.6 * few, (work.__name__, few, many)


@each("name", TEXTS)
def test_no_pattern_looks_at_more_than_a_sentence_of_bounded_length(name: str) -> None:
    read = reading.read(TEXTS[name](2_000))
    assert all(end - start <= 400 for start, end in read.sentences)
    assert all(len(clause.said) <= 400 for clause in read.clauses)


def test_a_text_is_read_to_its_end() -> None:
    search = Search("everything about Frank", NOW)
    said = [Said(text="I like tea. " * 2_600 + "I met Frank.", at=NOW)]
    search.learn(said)
    search.begin(loosely=False)
    [meant] = search.memories(said)
    assert meant is not None
    assert [said[0].text[start:end].strip() for start, end in meant.spans] == ["I met Frank."]


HOSTILE = [
    "everything ", "do not remember ", "must not should not ", "thanks ! ", "!. ", " before I x", " should be gone",
    "忘记", "不要记得", "的", "相关的", "全都", "可以吗好吗", "这个那个的事",
]  # fmt: skip


@each("again", HOSTILE)
def test_no_description_takes_all_of_its_time(again: str) -> None:
    description = (again * 1_000)[:995] + "zebra"
    with session(threading.Event(), Search, description, NOW) as search:
        search.call(Search.asked)


def test_terms_are_counted_wherever_they_are_named() -> None:
    counted = {
        "everything about Frank": 1,
        "everything about Frank except his dog": 2,
        "what I said about Frank before I moved to Rome": 2,
        TERMS: TERMS_MAX,
    }
    assert {about: Search(about, NOW).asked().terms for about in counted} == counted
