"""Signals that a person's view changed, at every edge of the source's windows and thresholds (FC-08)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from shared.drift.rules import (
    DriftPolicy,
    Grade,
    Thesis,
    comment_side,
    feedback_conflict,
    grade_reversal,
    jaccard,
    keywords,
    rating_side,
    reopened_in_time,
    stance_flip,
    summary_of,
)
from shared.runtime.policies import PACKAGED, policy_at

POLICY: DriftPolicy = policy_at(PACKAGED).drift_policy
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def grade(rating: str | None = None, *, ago: timedelta = timedelta(), comment: str | None = None) -> Grade:
    return Grade(id=uuid4(), at=NOW - ago, rating=rating, comment=comment)


@pytest.mark.parametrize(
    ("ago", "found"),
    [(SECOND, True), (14 * DAY - timedelta(hours=1), True), (14 * DAY, True), (14 * DAY + SECOND, False)],
)
def test_an_opposite_rating_counts_within_fourteen_days(ago: timedelta, found: bool) -> None:
    earlier = grade("thumbs_up", ago=ago)
    assert (grade_reversal(grade("not_helpful"), [earlier], POLICY) is not None) == found


def test_a_reversal_may_cross_vocabularies_and_names_the_newest() -> None:
    far, near = grade("5", ago=3 * DAY), grade("agree", ago=DAY)
    assert grade_reversal(grade("-1"), [far, near], POLICY) == near
    assert grade_reversal(grade("2"), [far, near], POLICY) is None
    assert grade_reversal(grade("0"), [far, near], POLICY) is None
    assert [rating_side(one) for one in ("helpful", "thumbs_down", "3", "-3", "0", None, "x")] == [
        1,
        -1,
        1,
        -1,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("comment", "side"),
    [
        ("我之前的判断错了", -1),
        ("你说得对", 1),
        ("不对,我看空", -1),
        ("没错", 1),
        ("I agree with this", 1),
        ("I disagree", -1),
        ("not_helpful", -1),
        ("对冲基金在买入", 0),
        ("错过了这次机会,但你是对的", 1),
        ("agree on fees, disagree on supply", 0),
        ("agreement was signed", 0),
        ("", 0),
        (None, 0),
    ],
)
def test_words_of_a_comment_are_on_a_side(comment: str | None, side: int) -> None:
    assert comment_side(comment, POLICY) == side


def test_two_opposing_comments_are_a_conflict() -> None:
    earlier = grade(comment="agree", ago=14 * DAY)
    assert feedback_conflict(grade(comment="I disagree now"), [earlier], POLICY) == earlier
    assert (
        feedback_conflict(grade(comment="I disagree now"), [grade(comment="agree", ago=14 * DAY + SECOND)], POLICY)
        is None
    )
    assert feedback_conflict(grade(comment="fine"), [earlier], POLICY) is None


def thesis(*words: str, ago: timedelta = timedelta()) -> Thesis:
    return Thesis(id=uuid4(), at=NOW - ago, text=" ".join(words))


def words(number: int, *, at: int = 0) -> list[str]:
    return [f"word{at + one:03d}" for one in range(number)]


@pytest.mark.parametrize(
    ("shared", "total", "inferences", "found"),
    [
        (199, 1000, 6, True),  # 0.199
        (200, 1000, 6, False),  # 0.2
        (199, 1000, 5, False),
        (0, 10, 6, True),
    ],
)
def test_a_thesis_is_turned_around_below_a_fifth_and_with_six_inferences(
    shared: int,
    total: int,
    inferences: int,
    found: bool,  # a parameter of the test
) -> None:
    rest = total - shared
    old = thesis(*words(shared), *words(rest // 2, at=2000), ago=15 * DAY)
    new = thesis(*words(shared), *words(rest - rest // 2, at=5000))
    assert jaccard(keywords(old.text), keywords(new.text)) == pytest.approx(shared / total)
    assert (stance_flip(new, [old], inferences, POLICY) is not None) == found


def test_it_is_compared_with_what_was_held_fourteen_days_ago_or_first() -> None:
    old, then, recent = thesis("old", ago=30 * DAY), thesis("then", ago=14 * DAY), thesis("recent", ago=DAY)
    assert stance_flip(thesis("new"), [recent, old, then], 6, POLICY) == then
    assert stance_flip(thesis("new"), [recent, thesis("young", ago=2 * DAY)], 6, POLICY).text == "young"  # type: ignore[union-attr]
    assert stance_flip(thesis("new"), [], 6, POLICY) is None


def test_chinese_theses_are_compared_by_their_characters() -> None:
    assert jaccard(keywords("链上活跃度推高手续费"), keywords("链上活跃度推高手续费")) == 1
    assert jaccard(keywords("链上活跃度推高手续费"), keywords("监管收紧将压低估值")) < 0.2


@pytest.mark.parametrize(
    ("after", "found"), [(timedelta(), True), (14 * DAY, True), (14 * DAY + SECOND, False), (-SECOND, False)]
)
def test_a_question_comes_back_within_fourteen_days(after: timedelta, found: bool) -> None:
    assert reopened_in_time(NOW, NOW + after, POLICY) == found


def test_the_sentence_is_made_of_dates_and_values_alone() -> None:
    told = summary_of("grade_reversal", NOW, "thumbs_up", NOW + 12 * DAY, "not_helpful")
    assert told == "2026-06-01 rated thumbs_up, 2026-06-13 rated not_helpful"
