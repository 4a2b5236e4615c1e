"""The month or day a question names, in English and Chinese, and what was said then."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.recall.rules.asked_dates import AFTERWARDS_DAYS, AskedDate, asked_date
from tests.support.tables import each

ASKED = {
    "What did I buy in May 2023?": AskedDate(2023, 5, None),
    "Where was Ada on 7 May, 2023?": AskedDate(2023, 5, 7),
    "where was ada on MAY 7TH?": AskedDate(None, 5, 7),
    "What happened on October 22nd, 2022?": AskedDate(2022, 10, 22),
    "Since March, what changed?": AskedDate(None, 3, None),
    "What was it last May?": AskedDate(None, 5, None),
    "In February 31?": AskedDate(None, 2, 31),
    "on 45 June": AskedDate(None, 6, None),
    "我2023年10月22日去了哪里？": AskedDate(2023, 10, 22),
    "2023年10月份呢": AskedDate(2023, 10, None),
    "12月31号晚上": AskedDate(None, 12, 31),
    "１０月１日": AskedDate(None, 10, 1),
    "十月份": AskedDate(None, 10, None),
    "五月三日": AskedDate(None, 5, 3),
    "十二月三十一號": AskedDate(None, 12, 31),
    "二〇二三年十一月二十日": AskedDate(2023, 11, 20),
    "二零二四年二月十五号": AskedDate(2024, 2, 15),
    "一九九八年八月": AskedDate(1998, 8, None),
}
NONE = [
    "",
    "What did I buy in 2023?",
    "What may I eat?",
    "Maybe tomorrow, she might.",
    "decembers",
    "What is the 5th of it?",
    "13月",
    "十三月",
    "第三个月",
    "每月",
    "明年",
]
SAID = {
    # asked, said on → match
    (AskedDate(2023, 5, None), date(2023, 5, 1)): 1.0,
    (AskedDate(2023, 5, None), date(2023, 5, 31)): 1.0,
    (AskedDate(2023, 5, None), date(2023, 4, 30)): 0.0,
    (AskedDate(2023, 5, None), date(2023, 6, 1)): 0.5,
    (AskedDate(2023, 5, None), date(2023, 6, 7)): 0.5,
    (AskedDate(2023, 5, None), date(2023, 6, 8)): 0.0,
    (AskedDate(2023, 5, None), date(2022, 5, 15)): 0.0,
    (AskedDate(2023, 5, 7), date(2023, 5, 7)): 1.0,
    (AskedDate(2023, 5, 7), date(2023, 5, 6)): 0.5,
    (AskedDate(2023, 5, 7), date(2023, 5, 30)): 0.5,
    (AskedDate(2023, 5, 28), date(2023, 6, 4)): 0.5,
    (AskedDate(2023, 5, 28), date(2023, 6, 5)): 0.0,
    (AskedDate(2023, 12, 31), date(2024, 1, 7)): 0.5,
    (AskedDate(None, 12, 31), date(2024, 1, 7)): 0.5,
    (AskedDate(None, 12, None), date(2019, 12, 24)): 1.0,
    (AskedDate(2023, 2, 29), date(2023, 2, 20)): 0.0,
    (AskedDate(2024, 2, 29), date(2024, 2, 29)): 1.0,
    (AskedDate(None, 2, 29), date(2024, 2, 29)): 1.0,
}
DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))
HAN = "〇一二三四五六七八九"


def han(number: int) -> str:
    """Write a number below a hundred as Chinese does."""
    tens, ones = divmod(number, 10)
    return ("" if tens < 2 else HAN[tens]) + "十" * bool(tens) + HAN[ones] * bool(ones)


@each(("question", "asked"), ASKED.items())
def test_a_date_is_read_from_a_question(question: str, asked: AskedDate) -> None:
    assert asked_date(question) == asked


@each("question", ["Which 3 books did I read in March?", "At 7 pm in March, who came?", "3 days in may 2024?"])
def test_another_number_is_no_day(question: str) -> None:
    asked = asked_date(question)
    assert asked is not None
    assert asked.day is None


@each("question", NONE)
def test_a_question_without_a_month_names_no_date(question: str) -> None:
    assert asked_date(question) is None


@each(("asked", "said_on", "match"), [(*key, value) for key, value in SAID.items()])
def test_what_was_said_then_matches_and_the_week_after_by_half(asked: AskedDate, said_on: date, match: float) -> None:
    assert asked.match(said_on) == match


@given(DAYS)
def test_every_day_is_understood_however_it_is_written(day: date) -> None:
    name = calendar.month_name[day.month]
    year = "".join(HAN[int(digit)] for digit in str(day.year))
    for question in (
        f"What did we do on {day.day} {name}, {day.year}?",
        f"what happened on {name.lower()} {day.day} {day.year}",
        f"我们{day.year}年{day.month}月{day.day}日去了哪里",
        f"{day.year}年{han(day.month)}月{han(day.day)}号的事",
        f"{year}年{han(day.month)}月{han(day.day)}日",
    ):
        assert asked_date(question) == AskedDate(day.year, day.month, day.day), question


@given(st.text(max_size=60), DAYS)
def test_whatever_is_asked_a_match_lies_between_none_and_full(question: str, said_on: date) -> None:
    asked = asked_date(question)
    assert asked is None or asked.match(said_on) in (0.0, 0.5, 1.0)


@given(DAYS, st.integers(-400, 400))
def test_a_day_matches_itself_its_month_and_the_week_after(day: date, distance: int) -> None:
    said_on = day + timedelta(days=distance)
    match = AskedDate(day.year, day.month, day.day).match(said_on)
    if distance == 0:
        assert match == 1.0
    else:
        near = 0 < distance <= AFTERWARDS_DAYS or (said_on.year, said_on.month) == (day.year, day.month)
        assert match == (0.5 if near else 0.0)
