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

    units: Sequence[Remembered]
    events: Sequence[Happened]


def history_of(tx: Transaction, subject_id: UUID, memory_id: UUID) -> History | None:
    """Return the history of a memory and its chain; None if the person cannot see it.

    Erased and hidden memories are omitted, because only the final event of their streams remains, or will remain.
    """
    units = supersession_chain.chain(tx, subject_id, memory_id)
    if all(unit.id != memory_id for unit in units):
        return None
    ids = [unit.id for unit in units]
    sources = provenance.sources_with_titles(tx, ids)
    return History(
        units=[Remembered(memory=unit, sources=tuple(sources[unit.id])) for unit in units],
        events=events.lives(tx, "memory", ids),
    )
