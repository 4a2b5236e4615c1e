"""What is remembered, as its person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.persistence import conversations, episodes, memories, summaries
from shared.persistence.database import Transaction
from shared.persistence.episodes import Episode
from shared.persistence.memories import MemoryFilter, Source, StoredMemory
from shared.persistence.summaries import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A memory and the messages it came from (MC-16)."""

    memory: StoredMemory
    sources: tuple[Source, ...]


def memories_of(
    tx: Transaction, subject_id: UUID, wanted: MemoryFilter, *, before: UUID | None, limit: int
) -> list[Remembered]:
    """Return a person's long-term memories, newest first, each with its sources."""
    found = memories.page(tx, subject_id, wanted, before=before, limit=limit)
    sources = memories.sources(tx, [one.id for one in found])
    return [Remembered(memory=one, sources=tuple(sources[one.id])) for one in found]


def one_memory(tx: Transaction, subject_id: UUID, memory_id: UUID) -> Remembered | None:
    """Return one memory with its sources, if its person can see it."""
    found = memories.read(tx, subject_id, memory_id)
    if found is None:
        return None
    return Remembered(memory=found, sources=tuple(memories.sources(tx, [memory_id])[memory_id]))


def summary_of(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> Summary | None:
    """Return a conversation's summary, an empty one while nothing was summarised; None when it is not theirs."""
    if not conversations.is_visible(tx, subject_id, conversation_id):
        return None
    return summaries.newest(tx, conversation_id) or Summary(
        text="", version=0, covered_message_count=0, updated_at=None
    )


def episodes_of(
    tx: Transaction, subject_id: UUID, conversation_id: UUID, *, before: UUID | None, limit: int
) -> Sequence[Episode] | None:
    """Return a conversation's episodes, newest first; None when it is not theirs."""
    if not conversations.is_visible(tx, subject_id, conversation_id):
        return None
    return episodes.page(tx, conversation_id, before=before, limit=limit)
