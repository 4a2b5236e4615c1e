"""The life of one memory unit, folded from its events (LT-01, LT-03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, assert_never
from uuid import UUID

from shared.domain.events import MemoryErased, MemoryLearned, MemoryRepointed

MemoryEvent: TypeAlias = MemoryLearned | MemoryRepointed | MemoryErased


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
            case MemoryRepointed():
                if memory is not None:
                    memory = replace(memory, supersedes=event.supersedes, version=memory.version + 1)
            case MemoryErased():
                memory = None
            case _:
                assert_never(event)
    return memory


def surviving_predecessor(erased: Mapping[UUID, UUID | None], of: UUID) -> UUID | None:
    """Return what stands before an erased unit once every erased unit is gone (P3).

    Args:
        erased: each erased unit and what it superseded.
        of: the erased unit to start from.
    """
    seen: set[UUID] = set()
    before: UUID | None = of
    while before is not None and before in erased and before not in seen:
        seen.add(before)
        before = erased[before]
    return None if before in seen else before
