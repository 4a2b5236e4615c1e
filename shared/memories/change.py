"""Change a memory: append an event and apply it to the read model."""

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


def memory_to_change(
    tx: Transaction, subject: Subject, memory_id: UUID, *, if_version: int | None = None
) -> tuple[Subject, Memory, StoredMemory]:
    """Return the person's current state and a current memory, locked until the transaction ends.

    Args:
        if_version: the version the caller has seen, if known.

    Raises:
        NotFound: the memory does not belong to this person, or is not visible.
        MemoryChanged: it has another version, or was superseded since.
        MemorySuperseded: a newer memory supersedes it.
        SubjectBusy: the fence could not be acquired in time.
    """
    subject = lock_learning(tx, subject)
    memory = memories.for_change(tx, subject, memory_id)
    stored = memories.read(tx, subject.id, memory_id) if memory else None
    if memory is None or stored is None:
        raise NotFound("memory")
    if if_version is not None and (memory.version != if_version or stored.superseded):
        raise MemoryChanged
    if stored.superseded:
        raise MemorySuperseded
    return subject, memory, stored


def change_memory(
    tx: Transaction, subject: Subject, memory_id: UUID, memory: Memory, event: MemoryChange, *, actor: str
) -> Memory:
    """Record an event of a memory that `memories.for_change` returned, under the fence; return its new state."""
    event_log.append(tx, subject, memory_id, [event], actor=actor)
    now = changed(memory, event, tx.now())
    memories.update(tx, memory_id, now)
    return now
