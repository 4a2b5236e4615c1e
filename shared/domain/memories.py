"""The life of one memory unit, folded from its events (LT-01, LT-03)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from shared.domain.events import MemoryErased, MemoryLearned

MemoryEvent: TypeAlias = MemoryLearned | MemoryErased


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory unit without its content."""

    content_type: str
    scope: str
    project_id: str | None
    origin: str
    importance: int
    taboo: bool
    supersedes: UUID | None
    conversation_id: UUID | None
    spoken_at: datetime | None
    version: int
    created_at: datetime
    updated_at: datetime
    disabled: bool = False
    confirmed: bool = False


def fold(history: Iterable[tuple[MemoryEvent, datetime]]) -> Memory | None:
    """Return the unit its events describe, or None once it was erased.

    Args:
        history: the events of one stream in order, each with the time it was recorded.
    """
    memory: Memory | None = None
    for event, at in history:
        match event:
            case MemoryLearned():
                memory = Memory(
                    content_type=event.content_type,
                    scope=event.scope,
                    project_id=event.project_id,
                    origin=event.origin,
                    importance=event.importance,
                    taboo=event.taboo,
                    supersedes=event.supersedes,
                    conversation_id=event.conversation_id,
                    spoken_at=event.spoken_at,
                    version=1,
                    created_at=at,
                    updated_at=at,
                )
            case MemoryErased():
                memory = None
    return memory
