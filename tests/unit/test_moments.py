"""When something was said, as a description says it (X-06)."""

from __future__ import annotations

from datetime import UTC, datetime

from shared.language.moments import window_in
from tests.support.tables import each

NOW = datetime(2026, 11, 22, 15, 30, tzinfo=UTC)


@each(
    ("said", "start", "end", "rest"),
    [
        ("my job before 2024", None, "2024-01-01", "my job"),
        ("my job until march 2023", None, "2023-03-01", "my job"),
        ("milo since may 2024", "2024-05-01", None, "milo"),
        ("milo after may 2024", "2024-06-01", None, "milo"),
        ("milo from may 2024 on", "2024-05-01", None, "milo"),
        ("plans from 2023", "2023-01-01", "2024-01-01", "plans"),
        ("the kitchen in march", "2026-03-01", "2026-04-01", "the kitchen"),
        ("the kitchen in december", "2025-12-01", "2026-01-01", "the kitchen"),
        ("on 5 may 2024 about tom", "2024-05-05", "2024-05-06", "about tom"),
        ("on may 5, 2024 about tom", "2024-05-05", "2024-05-06", "about tom"),
        ("before 2024-03-10", None, "2024-03-10", ""),
        ("between march and may 2024", "2024-03-01", "2024-06-01", ""),
        ("from november 2023 to february 2024", "2023-11-01", "2024-03-01", ""),
        ("last week about tom", "2026-11-09", "2026-11-16", "about tom"),
        ("yesterday about tom", "2026-11-21", "2026-11-22", "about tom"),
        ("last month", "2026-10-01", "2026-11-01", ""),
        ("last year", "2025-01-01", "2026-01-01", ""),
        ("over the past two weeks about joe", "2026-11-08", "2026-11-23", "about joe"),
        ("最近三个月我说的股票", "2026-08-24", "2026-11-23", "说的股票"),
        ("in early 2025", "2025-01-01", "2025-05-01", ""),
        ("in the first half of 2024", "2024-01-01", "2024-07-01", ""),
        ("2024年下半年说的", "2024-07-01", "2025-01-01", "说的"),
        ("in q3 2024", "2024-07-01", "2024-10-01", ""),
        ("in 05/2024", "2024-05-01", "2024-06-01", ""),
        ("between 1 and 10 june 2025", "2025-06-01", "2025-06-11", ""),
        ("up to the end of 2023", None, "2024-01-01", ""),
        ("2022年底之前的", None, "2023-01-01", ""),
        ("in 2019 and 2020", "2019-01-01", "2021-01-01", ""),
        ("今年春天说的", "2026-03-01", "2026-06-01", "说的"),
        ("in the summer of 2023", "2023-06-01", "2023-09-01", ""),
        ("2024年3月之前我说的考试", None, "2024-03-01", "我说的考试"),
        ("2024年5月起说的计划", "2024-05-01", None, "说的计划"),
        ("我2023年说的体重", "2023-01-01", "2024-01-01", "我 说的体重"),
        ("去年说的", "2025-01-01", "2026-01-01", "说的"),
        ("上个月说的", "2026-10-01", "2026-11-01", "说的"),
        ("2024年6月到8月我说的", "2024-06-01", "2024-09-01", "我说的"),
        ("2023年11月到2月说的", "2023-11-01", "2024-03-01", "说的"),
    ],
)
def test_a_time_is_a_stretch(said: str, start: str | None, end: str | None, rest: str) -> None:
    window, left = window_in(said, NOW)
    assert window is not None
    found = [at and at.date().isoformat() for at in (window.start, window.end)]
    assert (found, left.strip()) == ([start, end], rest)


@each("said", ["forget my cat", "everything about may", "my march shoes", "the 31st of nothing", "安"])
def test_what_names_no_time_is_left_as_it_is(said: str) -> None:
    assert window_in(said, NOW) == (None, said)


def test_a_day_there_never_was_is_no_time() -> None:
    assert window_in("on 31 february 2024", NOW)[0] is None


@each(
    "said",
    [
        "3000 years ago", "10000 years ago", "the last 5000 years", "last 100000 months", "last 99999999 weeks",
        "999999999天前", "winter in 9999", "31 december 9999",
    ],
)  # fmt: skip
def test_what_lies_outside_the_calendar_is_no_time(said: str) -> None:
    assert window_in(said, NOW)[0] is None


def test_its_end_does_not_belong_to_a_stretch() -> None:
    window, _ = window_in("in may 2024", NOW)
    assert window is not None
    assert window.holds(datetime(2024, 5, 31, 23, 59, tzinfo=UTC))
    assert not window.holds(datetime(2024, 6, 1, tzinfo=UTC))
    assert not window.holds(datetime(2024, 4, 30, 23, 59, tzinfo=UTC))
