"""One more event in the life of a memory unit: append it, and fold it into the read model."""

from __future__ import annotations

from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.errors import MemoryChanged, MemorySuperseded, NotFound
from shared.kernel.subjects import Subject
from shared.memories.lock_learning import lock_learning
from shared.memories.rules.memories import Memory, MemoryChange, changed
from shared.memories.sql import memories
from shared.memories.sql.memories import StoredMemory


def unit_to_change(
    tx: Transaction, subject: Subject, memory_id: UUID, *, if_version: int | None = None
) -> tuple[Subject, Memory, StoredMemory]:
    """Return the person as they are now, and a unit that holds, kept from other changes until the transaction ends.

    Args:
        if_version: the version its person has seen, if they say so.

    Raises:
        NotFound: it is not this person's, or not visible.
        MemoryChanged: it is not that version, or something took its place since.
        MemorySuperseded: a newer unit took its place.
        SubjectBusy: the fence could not be entered in time.
    """
    subject = lock_learning(tx, subject)
    unit = memories.for_change(tx, subject, memory_id)
    stored = memories.read(tx, subject.id, memory_id) if unit else None
    if unit is None or stored is None:
        raise NotFound("memory")
    if if_version is not None and (unit.version != if_version or stored.superseded):
        raise MemoryChanged
    if stored.superseded:
        raise MemorySuperseded
    return subject, unit, stored


def change_memory(
    tx: Transaction, subject: Subject, memory_id: UUID, memory: Memory, event: MemoryChange, *, actor: str
) -> Memory:
    """Record what happened to a unit read with `memories.for_change`, under the fence; returns it as it is now."""
    event_log.append(tx, subject, memory_id, [event], actor=actor)
    now = changed(memory, event, tx.now())
    memories.update(tx, memory_id, now)
    return now
