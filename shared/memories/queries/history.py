"""The history of a memory and of all memories it superseded (LT-03)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.kernel import event_log as events
from shared.kernel.database import Transaction
from shared.kernel.event_log import Happened
from shared.memories.queries.remembered import Remembered
from shared.memories.sql import provenance, supersession_chain


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The memories of a supersession chain, oldest first, and all their events in order."""

    memories: Sequence[Remembered]
    events: Sequence[Happened]


def history_of(tx: Transaction, subject_id: UUID, memory_id: UUID) -> History | None:
    """Return the history of a memory and its chain; None if the person cannot see it.

    Erased and hidden memories are omitted, because only the final event of their streams remains, or will remain.
    """
    memories = supersession_chain.chain(tx, subject_id, memory_id)
    if all(memory.id != memory_id for memory in memories):
        return None
    ids = [memory.id for memory in memories]
    sources = provenance.sources_with_titles(tx, ids)
    return History(
        memories=[Remembered(memory=memory, sources=tuple(sources[memory.id])) for memory in memories],
        events=events.lives(tx, "memory", ids),
    )
