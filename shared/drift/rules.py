"""Signals that a person's view changed (FC-08). They are observed; nothing is changed because of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias
from uuid import UUID

SignalKind: TypeAlias = Literal[
    "grade_reversal", "feedback_conflict", "refresh_stance_flip", "watch_question_resolved_then_reopened"
]
ALERTING: Final[frozenset[SignalKind]] = frozenset({"grade_reversal", "refresh_stance_flip"})
SCHEMA_VERSION: Final = "1.0"

ObjectType: TypeAlias = Literal["asset", "theme", "event"]
"""What a thread is about."""
Side: TypeAlias = Literal[-1, 0, 1]

_POSITIVE: Final = frozenset({"thumbs_up", "agree", "helpful"})
_NEGATIVE: Final = frozenset({"thumbs_down", "not_helpful", "disagree"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftPolicy:
    """The thresholds of a deployment.

    Args:
        within: how far apart two opposing signals may be.
        positive, negative: words of a comment, in lower case; a longer word counts instead of those in it.
        neither: words that contain one of them and are on no side, such as 对冲 (a hedge).
        conflicts_needed: opposing comments until it counts.
        inferences: a refresh with more changed inferences may be a flip.
        overlap: of a thesis with the earlier one; less is a flip.
        reopened_after: a reopened question is looked at so long after.
        counted: for how long a signal is counted.
        warn_within, warn_signals: so many signals of a person within that time are a warning.
        warn_conflicts: so many conflicting comments of a person are a warning.
    """

    within: timedelta
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    neither: tuple[str, ...]
    conflicts_needed: int
    inferences: int
    overlap: float
    reopened_after: timedelta
    counted: timedelta
    warn_within: timedelta
    warn_signals: int
    warn_conflicts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One piece of feedback on an object."""

    id: UUID
    at: datetime
    rating: str | None
    comment: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thesis:
    """What a thread held from a moment on."""

    id: UUID
    at: datetime
    text: str


def rating_side(rating: str | None) -> Side:
    """Return 1 for approval, -1 for disapproval, 0 for neither; words of every source and numbers count alike."""
    if rating is None:
        return 0
    if rating in _POSITIVE:
        return 1
    if rating in _NEGATIVE:
        return -1
    try:
        number = int(rating)
    except ValueError:
        return 0
    return 1 if number > 0 else -1 if number < 0 else 0


def comment_side(comment: str | None, policy: DriftPolicy) -> Side:
    """Return which side a comment's keywords are on; 0 if none or both.

    A longer word counts instead of those in it: "disagree" is no "agree", and 不对 no 对.
    """
    if not comment:
        return 0
    words = {
        **dict.fromkeys(policy.positive, 1),
        **dict.fromkeys(policy.negative, -1),
        **dict.fromkeys(policy.neither, 0),
    }
    longest_first = sorted(words, key=len, reverse=True)
    each = [rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word) for word in longest_first]
    found = {words[match.group()] for match in re.finditer("|".join(each), comment.lower())} - {0}
    if found == {1}:
        return 1
    return -1 if found == {-1} else 0


def grade_reversal(new: Grade, earlier: Sequence[Grade], policy: DriftPolicy) -> Grade | None:
    """Return the newest opposite rating of the same object within the policy's time, if there is one."""
    side = rating_side(new.rating)
    opposite = [one for one in earlier if side and rating_side(one.rating) == -side and _near(one, new, policy)]
    return max(opposite, key=lambda one: one.at, default=None)


def feedback_conflict(new: Grade, earlier: Sequence[Grade], policy: DriftPolicy) -> Grade | None:
    """Return the newest opposing comment on the same object, if enough of them oppose each other.

    Two opposing comments, this one included, are one conflict of two.
    """
    side = comment_side(new.comment, policy)
    opposite = [
        one for one in earlier if side and comment_side(one.comment, policy) == -side and _near(one, new, policy)
    ]
    return max(opposite, key=lambda one: one.at) if opposite and len(opposite) + 1 >= policy.conflicts_needed else None


def stance_flip(new: Thesis, earlier: Sequence[Thesis], inferences: int, policy: DriftPolicy) -> Thesis | None:
    """Return the thesis that a refresh turned around, if it did.

    Args:
        earlier: all theses of the thread before, in any order.
        inferences: how many inferences changed.

    The thesis of the policy's time ago counts, or the first one of a younger thread.
    """
    if not earlier or inferences <= policy.inferences:
        return None
    before = [one for one in earlier if one.at <= new.at - policy.within]
    prior = max(before, key=lambda one: one.at) if before else min(earlier, key=lambda one: one.at)
    return prior if jaccard(keywords(prior.text), keywords(new.text)) < policy.overlap else None


def reopened_in_time(resolved_at: datetime, reopened_at: datetime, policy: DriftPolicy) -> bool:
    """Return whether a question that was resolved came up again within the policy's time."""
    return timedelta() <= reopened_at - resolved_at <= policy.within


def keywords(text: str) -> frozenset[str]:
    """Return the words of a thesis: of languages with spaces words of three letters or more, of Chinese its bigrams."""
    lower = text.lower()
    latin = {word for word in re.findall(r"[a-z0-9]{3,}", lower) if word not in _EMPTY}
    han = re.findall(r"[\u3400-\u9fff]+", lower)
    return frozenset(latin | {run[at : at + 2] for run in han for at in range(max(1, len(run) - 1))})


_EMPTY: Final = frozenset(
    {"the", "and", "for", "that", "this", "with", "are", "was", "will", "has", "have", "its", "not"}
)


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the overlap of two sets of words: common ones over all; 1 if both are empty."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else 1.0


def summary_of(kind: SignalKind, prior_at: datetime, prior: str, current_at: datetime, current: str) -> str:
    """Return one sentence from dates and values, never from the person's words."""
    said = {
        "grade_reversal": "rated",
        "feedback_conflict": "commented",
        "refresh_stance_flip": "held",
        "watch_question_resolved_then_reopened": "marked",
    }[kind]
    return f"{prior_at:%Y-%m-%d} {said} {prior}, {current_at:%Y-%m-%d} {said} {current}"


def _near(one: Grade, other: Grade, policy: DriftPolicy) -> bool:
    return timedelta() <= other.at - one.at <= policy.within
