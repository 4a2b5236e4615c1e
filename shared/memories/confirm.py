"""Let a person say that a memory is true, and decide a contradiction (MC-05, MC-14, LT-03)."""

from __future__ import annotations

from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.errors import NotDisputed
from shared.kernel.events import MemoryConfirmed, MemoryDisabled, MemoryResolved
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory, unit_to_change
from shared.memories.rules.memories import MemoryChange
from shared.memories.sql import memories, supersession_chain

Decision: TypeAlias = Literal["replaces", "both"]


def confirm_memory(
    tx: Transaction, subject: Subject, memory_id: UUID, decision: Decision | None, *, actor: str
) -> None:
    """Confirm a unit; with a decision, end its contradiction too. Confirming again changes nothing.

    `replaces`: this unit is right. When it is the newer one of two, it takes the place of the older one, or of what
    holds in that one's place by now. When it is the older one, those that contradict it are disabled, and contradict
    nothing any more. `both`: they stand side by side. Of a unit that is newer here and older there, its own
    contradiction is decided, and the other one with another call.

    Raises:
        NotDisputed: there is nothing to decide; nothing is changed.
        NotFound, MemorySuperseded, SubjectBusy: as `unit_to_change`.
    """
    subject, unit, stored = unit_to_change(tx, subject, memory_id)
    newer = supersession_chain.disputing(tx, subject.id, memory_id)
    if decision is not None and stored.contradicts is None and not newer:
        raise NotDisputed
    if not unit.confirmed:
        unit = change_memory(tx, subject, memory_id, unit, MemoryConfirmed(), actor=actor)
    if decision is None:
        return
    if stored.contradicts is not None:
        _decide_newer(tx, subject, memory_id, stored.contradicts, decision, actor=actor)
        return
    for other in newer:
        disabling: list[MemoryChange] = [MemoryDisabled()] if decision == "replaces" else []
        _happen(tx, subject, other, [MemoryResolved(supersedes=None), *disabling], actor=actor)


def _decide_newer(
    tx: Transaction, subject: Subject, memory_id: UUID, older: UUID, decision: Decision, *, actor: str
) -> None:
    """End the contradiction of a unit with an older one.

    A unit edited by hand supersedes its former version: then its first version takes the older one's place, so that
    the chain stays one.
    """
    standing = supersession_chain.holding_after(tx, subject.id, older) if decision == "replaces" else None
    first = supersession_chain.first_version(tx, memory_id)
    if standing is None or supersession_chain.is_reachable(tx, memory_id, standing) or standing == memory_id:
        _happen(tx, subject, memory_id, [MemoryResolved(supersedes=None)], actor=actor)
        return
    if supersession_chain.is_reachable(tx, standing, first):
        first = memory_id
    if first != memory_id:
        _happen(tx, subject, memory_id, [MemoryResolved(supersedes=None)], actor=actor)
    _happen(tx, subject, first, [MemoryResolved(supersedes=standing)], actor=actor)


def _happen(tx: Transaction, subject: Subject, memory_id: UUID, changes: list[MemoryChange], *, actor: str) -> None:
    for change in changes:
        unit = memories.for_change(tx, subject, memory_id, hidden_too=True)
        if unit is not None and not (isinstance(change, MemoryDisabled) and unit.disabled):
            change_memory(tx, subject, memory_id, unit, change, actor=actor)
