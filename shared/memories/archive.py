"""Archive memories that were not used for a long time, and restore them (LT-10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryArchived, MemoryUnarchived
from shared.kernel.locks import enter_fence
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory
from shared.memories.rules.archiving import ArchivePolicy
from shared.memories.sql import archiving, memories

ACTOR: Final = "system:scheduler"


def archive_unused(tx: Transaction, subject_id: UUID, policy: ArchivePolicy, *, limit: int) -> int:
    """Archive a person's memories that the policy selects, oldest first; return how many.

    An archived memory is not given to the assistant. It is still listed, exported and forgotten, and is restored
    when it is confirmed or stated again. Running this again changes nothing.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    enter_fence(tx, subject_id)
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return 0
    archived = 0
    for resting in archiving.resting(tx, subject, policy, limit=limit):
        memory = memories.for_change(tx, subject, resting.id)
        if memory is None or memory.version != resting.version:
            continue  # it changed since it was selected
        change_memory(tx, subject, resting.id, memory, MemoryArchived(), actor=ACTOR)
        archived += 1
    return archived


def bring_back(tx: Transaction, subject: Subject, memory_ids: Iterable[UUID], *, actor: str) -> int:
    """Restore memories from the archive, under the fence; return how many.

    A superseded memory stays archived, because it is not used in any case.
    """
    wanted = set(memory_ids)
    if wanted:
        wanted -= archiving.superseded(tx, subject)
    brought = 0
    for memory_id in sorted(wanted):
        memory = memories.for_change(tx, subject, memory_id)
        if memory is not None and memory.archived:
            change_memory(tx, subject, memory_id, memory, MemoryUnarchived(), actor=actor)
            brought += 1
    return brought
