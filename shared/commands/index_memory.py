"""Give a memory that is visible already its copy in mem0: look, announce, (write outside,) confirm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.commands.await_undo import await_undo
from shared.commands.learn_memory import SwitchedOff
from shared.domain.switches import Switches
from shared.persistence import memories, outbox, subjects, switches, terms, vectors
from shared.persistence.database import Transaction
from shared.persistence.locks import enter_fence
from shared.persistence.outbox import Lease
from shared.persistence.subjects import Subject
from shared.persistence.vectors import Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexingPlan:
    """A memory to write to mem0, with its wording."""

    lease: Lease
    subject: Subject
    memory_id: UUID
    text: str


def plan_indexing(tx: Transaction, lease: Lease, *, defaults: Switches) -> IndexingPlan | None:
    """Decide whether a memory is written to mem0; None, and the row closed, when it is gone or there already.

    Raises:
        SwitchedOff: it is once the person turns long-term memory on again.
        UndoPossible: it is hidden by a forget that may still be undone.
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    memory_id = UUID(lease.payload["memory_id"])
    memory = memories.read(tx, lease.subject_id, memory_id)
    if memory is None:
        await_undo(tx, lease.subject_id)
    if subject is None or memory is None or vectors.is_written(tx, "memory", memory_id):
        outbox.close(tx, lease)
        return None
    if not switches.current(tx, subject.id, defaults=defaults).longterm_enabled:
        raise SwitchedOff
    return IndexingPlan(lease=lease, subject=subject, memory_id=memory_id, text=memory.text)


def announce_indexing(tx: Transaction, plan: IndexingPlan, keys: Sequence[UUID], kind: str) -> bool:
    """Commit the intents of what mem0 is about to write; False when the memory is gone and nothing may be written."""
    if not _stands(tx, plan):
        return False
    announce_copies(tx, plan.subject, plan.memory_id, keys, kind, step_id=plan.lease.id)
    return True


def confirm_indexing(tx: Transaction, plan: IndexingPlan, key: UUID | None, *, found_by: Sequence[int]) -> bool:
    """Say that mem0 holds the memory under `key` and close the row; returns whether it counts.

    It does not when the memory vanished meanwhile: the forget that took it knows the key and erases it.

    Args:
        key: None when announcing was refused.
        found_by: the digests of its words (`shared.models.terms`).

    Raises:
        UndoPossible: the memory is hidden by a forget that may still be undone.
        IntentsLost: the key was given up meanwhile.
        LeaseLost: the row is someone else's by now; nothing is confirmed.
    """
    stands = _stands(tx, plan)
    if not stands:
        await_undo(tx, plan.subject.id)
    outbox.close(tx, plan.lease)
    if not stands or key is None:
        return False
    vectors.confirm(tx, [key])
    terms.of_memories(tx, {plan.memory_id: found_by})
    return True


def announce_copies(
    tx: Transaction, subject: Subject, memory_id: UUID, keys: Sequence[UUID], kind: str, *, step_id: int
) -> None:
    """Record the intents of what mem0 writes for one memory.

    Args:
        kind: "memory", or "entity" for the rows mem0 keeps of the names in it.
    """
    is_entity = kind == "entity"
    intents = [Intent(pk=key, item_kind=kind, item_id=key if is_entity else memory_id) for key in keys]
    vectors.announce(tx, subject, "mem0_entities" if is_entity else "mem0", intents, step_id=step_id)


def _stands(tx: Transaction, plan: IndexingPlan) -> bool:
    """Enter the fence; whether the memory may still be read where its person's vectors are now."""
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    return (
        subject is not None
        and subject.namespace == plan.subject.namespace
        and memories.are_visible(tx, [plan.memory_id])
    )
