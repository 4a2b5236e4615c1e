"""The parts of a context, and why something is in it or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from uuid import UUID

Layer: TypeAlias = Literal["stable", "retrieved", "immediate"]
Kind: TypeAlias = Literal["memory", "episode", "summary", "message"]
Mode: TypeAlias = Literal["deterministic", "semantic"]
Why: TypeAlias = Literal[
    "safety",
    "confirmed",
    "stated",
    "learned",
    "extracted",
    "summary",
    "window",
    "fixed_order",
    "semantic",
    "lexical",
    "task",
    "recency",
    "neighbour",
    "name",
    "date",
    "related",
]
Superseded: TypeAlias = Literal["hide", "label"]
"""What becomes of memories something newer took the place of: not given, or given and marked (LT-07)."""
WhyNot: TypeAlias = Literal[
    "budget",
    "switched_off",
    "superseded",
    "conflict",
    "paused",
    "archived",
    "in_window",
    "limit",
    "not_related",
    "other_project",
]

LAYERS: Final[tuple[Layer, ...]] = ("stable", "retrieved", "immediate")
FOUND_BY: Final[Mapping[str, Why]] = MappingProxyType(
    {
        "semantic": "semantic",
        "lexical": "lexical",
        "task": "task",
        "recency": "recency",
        "neighbour": "neighbour",
        "name": "name",
        "date": "date",
    }
)
"""The part of a score that says most → why something was found; any other part is `related`."""


class Group(IntEnum):
    """Where something stands in the prompt (MC-14): earlier groups first."""

    SAFETY = 1
    PREFERENCES = 2
    SUMMARY = 3
    MEMORIES = 4
    WINDOW = 5

    @property
    def layer(self) -> Layer:
        """A tag, no second order: stable depends on what is remembered alone, retrieved on the question too."""
        if self <= Group.PREFERENCES:
            return "stable"
        return "retrieved" if self is Group.MEMORIES else "immediate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where something comes from (MC-16); nothing but `at` where no message shows it.

    Args:
        turn: of the first message; `session` is the stretch of the conversation it lies in.
        at: when it was said, or written.
        covers: first and last seq, of a summary.
    """

    at: datetime
    conversation_id: UUID | None = None
    session: int | None = None
    turn: int | None = None
    message_ids: tuple[UUID, ...] = ()
    covers: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One part of a context.

    Args:
        type: a memory's content type, `episode`, `summary`, or the role of a message.
        name: who spoke, where a message says so.
        total: what it is ranked by, and `scores` the parts of that; nothing of either where the order is fixed.
        level: `L1` or `L2`, of a memory (LT-04).
    """

    id: UUID
    kind: Kind
    type: str
    group: Group
    scope: str
    content: str
    provenance: Provenance
    why: Why
    updated_at: datetime
    project_id: str | None = None
    task_hint: str | None = None
    superseded: bool = False
    name: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    total: float | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something its person can see and the assistant is not given; of a conflict, what is given `instead`."""

    id: UUID
    kind: Kind
    type: str
    why: WhyNot
    instead: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is looked for. Episodes are searched inside one conversation only (MC-04)."""

    text: str
    conversation_id: UUID | None
    project_id: str | None
    task: str | None
    limit: int
    superseded: Superseded = "hide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something a search found: a hint, until a row visible now is joined with it.

    Args:
        scores: the parts of `total`, by name.
        total: higher is better; None where the order is fixed.
        cited: of an episode, the messages that were found, best first.
    """

    kind: Literal["memory", "episode"]
    id: UUID
    scores: Mapping[str, float]
    total: float | None
    cited: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What a search found, whether by meaning, and why it found less than it could.

    Args:
        beyond_limit: memories that were found too, after as many as were wanted.
    """

    candidates: tuple[Candidate, ...] = ()
    semantic: bool = False
    reasons: tuple[str, ...] = ()
    beyond_limit: frozenset[UUID] = frozenset()
