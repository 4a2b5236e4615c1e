"""The state of one memory, computed from its events (LT-01, LT-03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias, assert_never
from uuid import UUID

from shared.kernel.events import (
    MemoryArchived,
    MemoryConfirmed,
    MemoryConsolidated,
    MemoryDisabled,
    MemoryDisputed,
    MemoryEnabled,
    MemoryErased,
    MemoryLearned,
    MemoryRepointed,
    MemoryResolved,
    MemorySupported,
    MemoryUnarchived,
)

MemoryChange: TypeAlias = (
    MemorySupported
    | MemoryConfirmed
    | MemoryDisputed
    | MemoryResolved
    | MemoryDisabled
    | MemoryEnabled
    | MemoryArchived
    | MemoryUnarchived
    | MemoryRepointed
    | MemoryConsolidated
)
"""Events between creation and erasure."""
MemoryEvent: TypeAlias = MemoryLearned | MemoryChange | MemoryErased


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory without its content.

    `level` is `L1` when learned from a conversation, and `L2` once consolidated, or confirmed or written by the person
    (LT-04).
    """

    content_type: str
    scope: str
    project_id: str | None
    origin: str
    importance: int
    taboo: bool
    supersedes: UUID | None
    contradicts: UUID | None
    conversation_id: UUID | None
    spoken_at: datetime | None
    method: str | None
    version: int
    created_at: datetime
    updated_at: datetime
    last_supported_at: datetime | None = None
    disabled: bool = False
    confirmed: bool = False
    archived: bool = False
    level: str = "L1"


def fold(history: Iterable[tuple[MemoryEvent, datetime]]) -> Memory | None:
    """Return the memory that results from its events, or None if it was erased.

    Args:
        history: the events of one stream in order, each with the time it was recorded.
    """
    memory: Memory | None = None
    for event, at in history:
        match event:
            case MemoryLearned():
                memory = _begun(event, at)
            case MemoryErased():
                memory = None
            case _:
                memory = None if memory is None else changed(memory, event, at)
    return memory


def changed(memory: Memory, event: MemoryChange, at: datetime) -> Memory:
    """Return a memory after one more event. `updated_at` is kept: content, type and scope are the same (decision 3)."""
    becomes: dict[str, Any] = {"version": memory.version + 1}
    match event:
        case MemorySupported():
            becomes |= {"last_supported_at": at, "archived": False}
        case MemoryConfirmed():
            becomes |= {"confirmed": True, "archived": False, "level": "L2"}
        case MemoryConsolidated():
            becomes |= {"level": "L2"}
        case MemoryDisputed():
            becomes |= {"contradicts": event.contradicts}
        case MemoryResolved():
            becomes |= {"contradicts": None, "supersedes": event.supersedes or memory.supersedes}
        case MemoryDisabled() | MemoryEnabled():
            becomes |= {"disabled": isinstance(event, MemoryDisabled)}
        case MemoryArchived():
            becomes |= {"archived": True}
        case MemoryUnarchived():
            becomes |= {"archived": False}
        case MemoryRepointed():
            becomes |= {"supersedes": event.supersedes}
        case _:
            assert_never(event)
    return replace(memory, **becomes)


def _begun(event: MemoryLearned, at: datetime) -> Memory:
    return Memory(
        content_type=event.content_type,
        scope=event.scope,
        project_id=event.project_id,
        origin=event.origin,
        importance=event.importance,
        taboo=event.taboo,
        supersedes=event.supersedes,
        contradicts=event.contradicts,
        conversation_id=event.conversation_id,
        spoken_at=event.spoken_at,
        method=event.method,
        level=event.level,
        version=1,
        created_at=at,
        updated_at=at,
    )


def surviving_predecessor(erased: Mapping[UUID, UUID | None], of: UUID) -> UUID | None:
    """Return the nearest predecessor of an erased memory that is not erased itself (P3).

    Args:
        erased: each erased memory and the one it superseded.
        of: the erased memory to start from.
    """
    seen: set[UUID] = set()
    before: UUID | None = of
    while before is not None and before in erased and before not in seen:
        seen.add(before)
        before = erased[before]
    return None if before in seen else before
