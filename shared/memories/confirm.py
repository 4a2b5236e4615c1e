"""Confirm a memory and resolve contradictions (MC-05, MC-14, LT-03)."""

from __future__ import annotations

from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.errors import NotDisputed
from shared.kernel.events import MemoryConfirmed, MemoryDisabled, MemoryDisputed, MemoryResolved
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory, memory_to_change
from shared.memories.rules.memories import MemoryChange
from shared.memories.sql import memories, supersession_chain

Decision: TypeAlias = Literal["replaces", "both"]


def confirm_memory(
    tx: Transaction, subject: Subject, memory_id: UUID, decision: Decision | None, *, actor: str
) -> None:
    """Confirm a memory and, given a decision, resolve its contradiction. Confirming again changes nothing.

    `replaces`: this memory is right. If it is the newer one, it supersedes the older one, or that one's current
    successor; others that contradict the older one now contradict it, until the person decides. If it is the older
    one, the memories that contradict it are disabled, and their contradiction ends.
    `both`: the memories coexist. If this memory is the newer one in one contradiction and the older one in another,
    only the former is resolved; the latter needs another call.

    Raises:
        NotDisputed: there is no contradiction; nothing is changed.
        NotFound, MemorySuperseded, SubjectBusy: as `memory_to_change`.
    """
    subject, memory, stored = memory_to_change(tx, subject, memory_id)
    newer = supersession_chain.disputing(tx, subject.id, memory_id)
    if decision is not None and stored.contradicts is None and not newer:
        raise NotDisputed
    if not memory.confirmed:
        memory = change_memory(tx, subject, memory_id, memory, MemoryConfirmed(), actor=actor)
    if decision is None:
        return
    if stored.contradicts is not None:
        others = supersession_chain.disputing(tx, subject.id, stored.contradicts) if decision == "replaces" else []
        _decide_newer(tx, subject, memory_id, stored.contradicts, decision, actor=actor)
        for other in others:
            if other != memory_id:  # whether it contradicts the one that holds now is still to be decided
                _happen(
                    tx,
                    subject,
                    other,
                    [MemoryResolved(supersedes=None), MemoryDisputed(contradicts=memory_id)],
                    actor=actor,
                )
        return
    for other in newer:
        disabling: list[MemoryChange] = [MemoryDisabled()] if decision == "replaces" else []
        _happen(tx, subject, other, [MemoryResolved(supersedes=None), *disabling], actor=actor)


def _decide_newer(
    tx: Transaction, subject: Subject, memory_id: UUID, older: UUID, decision: Decision, *, actor: str
) -> None:
    """Resolve the contradiction of a memory with an older one.

    An edited memory already supersedes its former version. Its first version then supersedes the older memory, so that
    the chain stays linear.
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
        memory = memories.for_change(tx, subject, memory_id, hidden_too=True)
        if memory is not None and not (isinstance(change, MemoryDisabled) and memory.disabled):
            change_memory(tx, subject, memory_id, memory, change, actor=actor)
