"""What extraction returns, whoever does it: rules here, a language model through mem0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

ContentType: TypeAlias = Literal["preference", "fact", "constraint", "note", "episodic", "task_outcome"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message as extraction sees it."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something worth remembering.

    `text` is a self-contained sentence in the speaker's language; `quote_start`/`quote_end` are
    half-open character offsets of its evidence in `utterances[utterance].text` (LT-02).
    `taboo` marks safety matters and taboos (MC-14). `importance` is 1…10 (LT-01, default 5).
    `explicit` is true for "remember that …" / "记住…" (LT-05).
    `task_hint` is the task it holds for, in the speaker's words ("write reports" / "写周报"), None where it is general.
    """

    utterance: int
    text: str
    content_type: ContentType
    quote_start: int
    quote_end: int
    taboo: bool = False
    importance: int = 5
    explicit: bool = False
    task_hint: str | None = None


class Extractor(Protocol):
    """Finds what a turn says about the person."""

    def extract(self, utterances: Sequence[Utterance]) -> list[Candidate]:
        """Return candidates in the order of their evidence, without duplicates; user messages only."""
