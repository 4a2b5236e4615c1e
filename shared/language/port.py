"""The questions a reader answers about texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from shared.language.candidates import ContentType

Whose: TypeAlias = Literal["self", "household", "other"]
Time: TypeAlias = Literal["lasting", "until", "event", "past"]
Related: TypeAlias = Literal["same", "replaces", "narrows", "unclear", "unrelated"]
Shown: TypeAlias = Literal["told", "stated", "contrary"]
Place: TypeAlias = Literal["work", "personal", "social", "learning", "general"]
Category: TypeAlias = Literal[
    "credential",
    "payment",
    "identity",
    "phone",
    "email",
    "address",
    "health",
    "name",
    "wallet",
    "file_path",
    "bank_account",
]


SAFETY_FROM: Final = 0.5
"""Least probability for a span to be marked as a safety matter."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a turn worth remembering: its characters, the reader's confidence, and its kind.

    `type` is fact, preference, constraint, episodic or task_outcome. `safety` is the probability that it is about an
    allergy, a diet, a medicine, a condition, or a topic never to raise. `about` is self, household or other. `time` is
    lasting, until (has an end), event (happens once) or past. `wording` is a self-contained version, if needed.
    """

    start: int
    end: int
    sure: float
    type: ContentType
    safety: float
    about: Whose
    time: Time
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Sensitive:
    """A sensitive part of a text, and its category."""

    start: int
    end: int
    sure: float
    category: Category


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of reading a turn, in order; `method` is `reader`, or `model:` and the model's name."""

    kept: tuple[Span, ...]
    sensitive: tuple[Sensitive, ...]
    method: str = "reader"


@dataclass(frozen=True, slots=True)
class Meant:
    """The probabilities that a description means all or part of a statement; for a part, its spans in order."""

    whole: float
    part: float
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Needed:
    """The probabilities that an answer needs a memory, or is helped by it; the rest: mentioning it would be odd."""

    needed: float
    helps: float


@dataclass(frozen=True, slots=True)
class Habit:
    """A behavior that a message shows of its writer: the key of the catalogue, and the probability of it.

    `shown` is told (in passing), stated (about oneself, as lasting) or contrary (it is not, or no longer, so).
    `context` is work, personal, social, learning, or general if none shows.
    """

    key: str
    sure: float
    shown: Shown
    context: Place


class Readings(Protocol):
    """Answers questions about texts and stores nothing. All may raise `EmbedderUnavailable` or `Unembeddable`."""

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        """Read a turn, given (role, text) of the messages before it, oldest first."""

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        """Return for each earlier statement the probability of each relation to the later one; they sum to 1.

        The later one says the `same`, `replaces` it, `narrows` it, is `unclear` beside it, or is `unrelated`.
        """

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        """Return for each statement the probability that a description means it."""

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        """Return for each memory the probability that the answer to a question or request needs it."""

    def habits(self, text: str) -> list[Habit]:
        """Return the behaviors that a message may show of its writer, most likely first."""
