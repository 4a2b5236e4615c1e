"""The position of a memory in its supersession chain, ordered by when it was said, not by when it was learned."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.events import MemoryRepointed
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory
from shared.memories.rules.memories import Memory
from shared.memories.sql import memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The neighbours of a new memory: the older one it supersedes, and the one that supersedes it."""

    supersedes: UUID | None
    successor: UUID | None


def find_place(
    tx: Transaction,
    subject: Subject,
    *,
    said_at: datetime,
    supersedes: UUID | None,
    superseded_by: UUID | None,
    actor: str,
) -> Place:
    """Return the position of a memory said at `said_at`; memories that are not visible are ignored.

    In a chain of later memories it is placed below all that were said after it, above the one they superseded so far.

    Args:
        supersedes: an older memory that it replaces.
        superseded_by: a later memory that replaces it.
    """
    if supersedes is not None and memories.for_change(tx, subject, supersedes) is None:
        supersedes = None
    later = memories.for_change(tx, subject, superseded_by) if superseded_by else None
    if superseded_by is None or later is None:
        return Place(supersedes=supersedes, successor=None)
    successor = superseded_by
    while later.supersedes is not None:
        below = memories.for_change(tx, subject, later.supersedes)
        if below is None or _said(below) <= said_at:
            break
        successor, later = later.supersedes, below
    if supersedes is None:
        return Place(supersedes=later.supersedes, successor=successor)
    if later.supersedes is not None:
        append(tx, subject, supersedes, later.supersedes, actor=actor)
    return Place(supersedes=supersedes, successor=successor)


def let_succeed(tx: Transaction, subject: Subject, place: Place, memory_id: UUID, *, actor: str) -> None:
    """Let the later memory at this position supersede the new one."""
    if place.successor is None:
        return
    later = memories.for_change(tx, subject, place.successor)
    if later is not None:
        change_memory(tx, subject, place.successor, later, MemoryRepointed(supersedes=memory_id), actor=actor)


def append(tx: Transaction, subject: Subject, chain: UUID, older: UUID, *, actor: str) -> None:
    """Append the chain of `older` to the oldest memory of another chain."""
    last, memory = chain, memories.for_change(tx, subject, chain)
    while memory is not None and memory.supersedes is not None and last != older:
        last, memory = memory.supersedes, memories.for_change(tx, subject, memory.supersedes)
    if memory is not None and last != older:
        change_memory(tx, subject, last, memory, MemoryRepointed(supersedes=older), actor=actor)


def _said(memory: Memory) -> datetime:
    return memory.spoken_at or memory.created_at
