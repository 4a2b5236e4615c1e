"""Confirm, pause, resume or move several memories in one transaction (MC-05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.kernel.database import Transaction
from shared.kernel.errors import MemorySuperseded, NotFound
from shared.kernel.subjects import Subject
from shared.memories.confirm import confirm_memory
from shared.memories.disable import disable_memory
from shared.memories.edit import edit_memory
from shared.memories.sql import memories

Act: TypeAlias = Literal["keep", "pause", "resume", "move"]
Outcome: TypeAlias = Literal["changed", "unchanged", "superseded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The action for each memory; `scope` and `project_id` are the destination of `move`."""

    act: Act
    scope: str | None = None
    project_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The result for one memory; `now` is the current memory, which has a new id if it was moved."""

    id: UUID
    outcome: Outcome
    now: UUID


def change_several(
    tx: Transaction, subject: Subject, memory_ids: Sequence[UUID], change: Change, *, terms: Terms, actor: str
) -> list[Changed]:
    """Apply the same action to several memories and return the result for each.

    A superseded memory is skipped and does not block the others.

    Raises:
        NotFound: one of them does not belong to this person, or is not visible; nothing is changed.
        LongTermOff: they cannot be moved because long-term memory is off; nothing is changed.
        SubjectBusy: the fence could not be acquired in time; nothing is changed.
    """
    return [
        _change(tx, subject, memory_id, change, terms=terms, actor=actor) for memory_id in dict.fromkeys(memory_ids)
    ]


def _change(tx: Transaction, subject: Subject, memory_id: UUID, change: Change, *, terms: Terms, actor: str) -> Changed:
    before = memories.read(tx, subject.id, memory_id)
    if before is None:
        raise NotFound("memory")
    now: UUID = memory_id
    try:
        if change.act == "keep":
            confirm_memory(tx, subject, memory_id, None, actor=actor)
        elif change.act == "move":
            wanted = {"scope": change.scope, "project_id": change.project_id}
            now = edit_memory(tx, subject, memory_id, wanted, terms=terms, actor=actor)
        else:
            disable_memory(tx, subject, memory_id, disabled=change.act == "pause", actor=actor)
    except MemorySuperseded:
        return Changed(id=memory_id, outcome="superseded", now=memory_id)
    after = memories.read(tx, subject.id, now)
    is_changed = now != memory_id or (after is not None and after.version != before.version)
    return Changed(id=memory_id, outcome="changed" if is_changed else "unchanged", now=now)
