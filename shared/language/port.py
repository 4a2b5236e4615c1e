"""The questions asked about what people say, whoever answers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from shared.language.candidates import ContentType

Whose: TypeAlias = Literal["self", "household", "other"]
Time: TypeAlias = Literal["lasting", "until", "event", "past"]
Related: TypeAlias = Literal["same", "replaces", "narrows", "unclear", "unrelated"]
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
"""How likely a piece is a safety matter for it to be marked as one."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a turn worth remembering: its characters, how sure the reader is, and what kind of thing it is.

    `type` is fact, preference, constraint, episodic or task_outcome. `safety` is how likely it is an allergy, a diet,
    a medicine, a condition, or a topic never to raise. `about` is self, household or other; `time` lasting, until (it
    has an end), event (it happens once) or past. `wording` says it on its own where the piece does not.
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
    """A piece of a text that is sensitive, and why."""

    start: int
    end: int
    sure: float
    category: Category


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn of the person holds, in order; `method` is who read it: `reader`, or `model:` and its name."""

    kept: tuple[Span, ...]
    sensitive: tuple[Sensitive, ...]
    method: str = "reader"


@dataclass(frozen=True, slots=True)
class Meant:
    """How likely a description means a statement: wholly, or in part, and then which characters, in order."""

    whole: float
    part: float
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Needed:
    """How likely an answer needs something remembered, or is at least helped by it; the rest is odd to mention."""

    needed: float
    helps: float


class Readings(Protocol):
    """Answers about texts; nothing is kept of them. All may raise `EmbedderUnavailable` or `Unembeddable`."""

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        """Return what a turn holds, given (role, text) of the turns before it, oldest first."""

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        """Return for each earlier statement how likely the later one says the `same`, `replaces` it, `narrows` it, is
        `unclear` beside it, or is `unrelated`; each sums to 1."""

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        """Return for each statement how likely a description means it."""

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        """Return for each thing remembered how likely the answer to a question, or a request, needs it."""
