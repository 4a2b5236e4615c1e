"""The items of a context, and the reasons why an item is in it or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from uuid import UUID

Layer: TypeAlias = Literal["stable", "retrieved", "immediate"]
Kind: TypeAlias = Literal["memory", "trait", "episode", "summary", "message"]
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
    "trait",
    "fitting_trait",
]
Superseded: TypeAlias = Literal["hide", "label"]
"""Whether superseded memories are hidden, or given with a mark (LT-07)."""
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
    "not_confirmed",
    "route",
]

LAYERS: Final[tuple[Layer, ...]] = ("stable", "retrieved", "immediate")
LIMIT: Final = 20
"""Memories and episodes in the layer `retrieved`, unless a request says how many."""
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
"""Largest part of a score → reason; any other part is `related`."""


class Group(IntEnum):
    """Section of the prompt (MC-14), in order."""

    SAFETY = 1
    CORE = 2
    PREFERENCES = 3
    HABITS = 4
    SUMMARY = 5
    MEMORIES = 6
    WINDOW = 7

    @property
    def layer(self) -> Layer:
        """The layer's name; it does not affect the order. Stable depends only on memories, retrieved also on the
        question.
        """
        if self <= Group.PREFERENCES:
            return "stable"
        return "retrieved" if self in (Group.HABITS, Group.MEMORIES) else "immediate"


@dataclass(frozen=True, slots=True, kw_only=True)
class InDocument:
    """The uploaded document a memory is a part of, and the page; None where there are no pages (TR-12)."""

    id: UUID
    title: str
    page: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where an item comes from (MC-16); only `at` if no message shows it.

    Args:
        turn: of the first message; `session` is the session of that turn.
        at: when it was said or written.
        covers: first and last seq, of a summary.
        document: of a part of an uploaded document.
        origin: of a memory: `stated`, `extracted` or `learned` from feedback.
    """

    at: datetime
    conversation_id: UUID | None = None
    session: int | None = None
    turn: int | None = None
    message_ids: tuple[UUID, ...] = ()
    covers: tuple[int, int] | None = None
    document: InDocument | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a context.

    Args:
        type: a memory's content type, `episode`, `summary`, or the role of a message.
        name: the speaker, if a message names one.
        total: the ranking score, and `scores` its parts; both empty in the fixed order.
        level: `L1` or `L2`, of a memory (LT-04).
        stage, context: of a trait.
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
    stage: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An item the person can see but the assistant is not given; for a conflict, `instead` is what holds."""

    id: UUID
    kind: Kind
    type: str
    why: WhyNot
    instead: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Among:
    """The only memories that are searched: their ids, and the keys of their vectors."""

    ids: frozenset[UUID]
    keys: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to search for. Episodes are searched inside one conversation only (MC-04)."""

    text: str
    conversation_id: UUID | None
    project_id: str | None
    task: str | None
    limit: int
    superseded: Superseded = "hide"
    among: Among | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A search result: a hint, until a visible row is joined to it.

    Args:
        scores: the parts of `total`, by name.
        total: higher is better; None in the fixed order.
        cited: of an episode, the messages that were found, best first.
    """

    kind: Literal["memory", "episode"]
    id: UUID
    scores: Mapping[str, float]
    total: float | None
    cited: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """Search results, best first, whether the search was semantic, and why it found less than it could."""

    candidates: tuple[Candidate, ...] = ()
    semantic: bool = False
    reasons: tuple[str, ...] = ()
