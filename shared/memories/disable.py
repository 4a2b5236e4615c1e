"""Disable a memory without deleting it, or enable it again (MC-05)."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.events import MemoryDisabled, MemoryEnabled
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory, memory_to_change


def disable_memory(
    tx: Transaction, subject: Subject, memory_id: UUID, *, disabled: bool, actor: str, if_version: int | None = None
) -> None:
    """Set whether a memory is used. The memory keeps its id and content; repeating it changes nothing.

    Raises:
        NotFound, MemoryChanged, MemorySuperseded, SubjectBusy: as `memory_to_change`.
    """
    subject, memory, _ = memory_to_change(tx, subject, memory_id, if_version=if_version)
    if memory.disabled != disabled:
        event = MemoryDisabled() if disabled else MemoryEnabled()
        change_memory(tx, subject, memory_id, memory, event, actor=actor)
