"""Consolidate memories from level L1 to L2 once nothing newer has replaced or contradicted them (LT-04).

Each new statement is compared with existing memories when it is learned: a repetition becomes evidence, a correction
supersedes. Memories still current when the session ends, or in a later batch, become L2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from shared.conversations.derive import queue_consolidation
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryConsolidated
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory
from shared.memories.sql import levels, memories
from shared.outbox.sql.leasing import Lease

ACTOR: Final = "system:learner"

AT_ONCE: Final = 200
"""Maximum memories per transaction, so that the person's fence is not held for long."""


def consolidate_conversation(tx: Transaction, lease: Lease) -> bool:
    """Consolidate the memories of a conversation; False while turns of it still wait for learning. Safe to repeat.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    conversation_id = UUID(lease.payload["conversation_id"])
    subject = _entered(tx, lease.subject_id)
    if subject is not None:
        if levels.is_being_learned(tx, subject.id, conversation_id):
            return False
        wanted = levels.of_conversation(tx, subject.id, conversation_id, limit=AT_ONCE)
        if _consolidate(tx, subject, wanted) == AT_ONCE:
            queue_consolidation(tx, subject.id, conversation_id)
    return True


def consolidate_batch(tx: Transaction, subject_id: UUID) -> int:
    """Consolidate memories of a person's quiet conversations, oldest first; return how many, at most `AT_ONCE`.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    subject = _entered(tx, subject_id)
    return 0 if subject is None else _consolidate(tx, subject, levels.quiet(tx, subject.id, limit=AT_ONCE))


def _entered(tx: Transaction, subject_id: UUID) -> Subject | None:
    one_at_a_time(tx, "learning", str(subject_id))
    enter_fence(tx, subject_id)
    return subjects.read(tx, subject_id)


def _consolidate(tx: Transaction, subject: Subject, memory_ids: Iterable[UUID]) -> int:
    done = 0
    for memory_id in memory_ids:
        memory = memories.for_change(tx, subject, memory_id)
        if memory is not None and memory.level == "L1":
            change_memory(tx, subject, memory_id, memory, MemoryConsolidated(), actor=ACTOR)
            done += 1
    return done
