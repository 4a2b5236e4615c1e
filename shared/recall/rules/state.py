"""What is read of a person to make a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.consent.rules.switches import Switches
from shared.recall.rules.items import Provenance, Superseded
from shared.traits.rules.confidence import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A memory that contradicts another, unresolved, and might be given in its place."""

    id: UUID
    confirmed: bool
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleMemory:
    """A visible memory, with everything that decides whether an assistant is given it."""

    id: UUID
    text: str
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    taboo: bool
    confirmed: bool
    paused: bool
    archived: bool
    superseded: bool
    task_hint: str | None
    said_at: datetime
    updated_at: datetime
    provenance: Provenance
    rivals: tuple[Rival, ...] = ()
    importance: int = 5
    level: str = "L1"

    def usable(self, superseded: Superseded) -> bool:
        """Whether its own state allows giving it."""
        return not (self.paused or self.archived or (self.superseded and superseded == "hide"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A memory that is not superseded, without content: enough to say why an assistant is not given it."""

    id: UUID
    content_type: str
    scope: str
    project_id: str | None
    paused: bool
    archived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A visible episode: the messages of one turn, by id, in order."""

    id: UUID
    said: Mapping[UUID, str]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A conversation's visible summary."""

    id: UUID
    text: str
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A visible, completed message of the recent window."""

    id: UUID
    role: str
    name: str | None
    text: str
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Impression:
    """A visible trait that an assistant may be told about, as of the last reflection.

    `relevance` is how well it fits the question, from 0 to 1; None if nobody asked, or it could not be compared.
    `always`: it says how the person wants answers.
    """

    id: UUID
    text: str
    subtype: str
    stage: Stage
    context: str
    confidence: float
    importance: int
    always: bool
    last_reinforced: datetime
    updated_at: datetime
    relevance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything visible of one person at one time that a context may be made from.

    Args:
        project_id: the assistant's project; memories of other projects are excluded.
        stable: memories that belong in every context of the project, in any order.
        found: memories and episodes a search found, in any order.
        listed: memories that are not superseded; only the newest if there are very many.
        impressions: surest first.
        window: oldest first.
    """

    switches: Switches
    project_id: str | None = None
    stable: tuple[VisibleMemory, ...] = ()
    found: tuple[VisibleMemory, ...] = ()
    listed: tuple[Listed, ...] = ()
    impressions: tuple[Impression, ...] = ()
    moments: tuple[Moment, ...] = ()
    summary: Digest | None = None
    window: tuple[Utterance, ...] = ()
