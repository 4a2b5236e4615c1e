"""Give a memory that is visible already its copy in mem0: look, announce, (write outside,) confirm.

What was written by hand is compared on the way with what is remembered, as what is said is (LT-03)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.conversations.sql import search_terms
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryDisputed
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent
from shared.memories.change import change_memory
from shared.memories.confirm_learning import ACTOR, Comparison
from shared.memories.learn import SwitchedOff
from shared.memories.sql import comparable, memories
from shared.memories.sql.comparable import Unit
from shared.memories.supersession import append
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Lease
from shared.switches import sql as switches
from shared.switches.rules import Switches

BY_HAND: Final = "person"
"""The method of units their person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexingPlan:
    """A memory to write to mem0.

    Args:
        recent: units of the last moments, which no search may find yet.
        is_by_hand: its person wrote it, or its wording.
    """

    lease: Lease
    subject: Subject
    unit: Unit
    project_id: str | None
    recent: tuple[Unit, ...]
    is_by_hand: bool

    @property
    def memory_id(self) -> UUID:
        return self.unit.id

    @property
    def text(self) -> str:
        return self.unit.text


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
    if subject is None or memory is None or vector_keys.is_written(tx, "memory", memory_id):
        outbox.close(tx, lease)
        return None
    if not switches.current(tx, subject.id, defaults=defaults).longterm_enabled:
        raise SwitchedOff
    is_by_hand = memory.method == BY_HAND and not memory.superseded
    recent = comparable.created_since(tx, subject.id, tx.now(), project_id=memory.project_id) if is_by_hand else ()
    said_at = memory.spoken_at or memory.created_at
    return IndexingPlan(
        lease=lease,
        subject=subject,
        unit=Unit(
            id=memory_id,
            text=memory.text,
            content_type=memory.content_type,
            said_at=said_at,
            task_hint=memory.task_hint,
        ),
        project_id=memory.project_id,
        recent=tuple(recent),
        is_by_hand=is_by_hand,
    )


def units_beside(tx: Transaction, plan: IndexingPlan, keys: Sequence[UUID]) -> list[Unit]:
    """Return, of these keys, the units a memory may repeat, replace or contradict."""
    ids = [item_id for _, item_id in vector_keys.visible(tx, keys).values()]
    return comparable.comparable(tx, plan.subject.id, ids, project_id=plan.project_id)


def announce_indexing(tx: Transaction, plan: IndexingPlan, keys: Sequence[UUID], kind: str) -> bool:
    """Commit the intents of what mem0 is about to write; False when the memory is gone and nothing may be written."""
    if not _stands(tx, plan):
        return False
    announce_copies(tx, plan.subject, plan.memory_id, keys, kind, step_id=plan.lease.id)
    return True


def confirm_indexing(
    tx: Transaction,
    plan: IndexingPlan,
    key: UUID | None,
    *,
    found_by: Sequence[int],
    comparison: Comparison,
    has_vector: bool = True,
) -> bool:
    """Say that mem0 holds the memory under `key` and close the row; returns whether it counts.

    It does not when the memory vanished meanwhile: the forget that took it knows the key and erases it.

    Args:
        key: None when announcing was refused.
        found_by: the digests of its words (`shared.language.terms`).
        stance: what it means for units that were said before.
        has_vector: False when its text has none: it is found by its words alone.

    Raises:
        UndoPossible: the memory is hidden by a forget that may still be undone.
        IntentsLost: the key was given up meanwhile.
        LeaseLost: the row is someone else's by now; nothing is confirmed.
    """
    one_at_a_time(tx, "learning", str(plan.subject.id))
    stands = _stands(tx, plan)
    if not stands:
        await_undo(tx, plan.subject.id)
    outbox.close(tx, plan.lease)
    if not stands or (key is None and has_vector):
        return False
    if key is not None:
        vector_keys.confirm(tx, [key])
    search_terms.of_memories(tx, {plan.memory_id: found_by})
    _take_place(tx, plan, comparison)
    return True


def _take_place(tx: Transaction, plan: IndexingPlan, comparison: Comparison) -> None:
    """Record what a unit means for others, as far as all of them hold still."""
    wanted = [plan.memory_id, *filter(None, (comparison.supersedes, comparison.contradicts))]
    holding = {one.id for one in comparable.comparable(tx, plan.subject.id, wanted, project_id=plan.project_id)}
    if plan.memory_id not in holding:
        return
    if comparison.supersedes in holding and comparison.supersedes is not None:
        append(tx, plan.subject, plan.memory_id, comparison.supersedes, actor=ACTOR)
    unit = memories.for_change(tx, plan.subject, plan.memory_id)
    if unit is not None and unit.contradicts is None and comparison.contradicts in holding:
        assert comparison.contradicts is not None  # noqa: S101 # it holds
        disputed = MemoryDisputed(contradicts=comparison.contradicts)
        change_memory(tx, plan.subject, plan.memory_id, unit, disputed, actor=ACTOR)


def announce_copies(
    tx: Transaction, subject: Subject, memory_id: UUID, keys: Sequence[UUID], kind: str, *, step_id: int
) -> None:
    """Record the intents of what mem0 writes for one memory.

    Args:
        kind: "memory", or "entity" for the rows mem0 keeps of the names in it.
    """
    is_entity = kind == "entity"
    intents = [Intent(pk=key, item_kind=kind, item_id=key if is_entity else memory_id) for key in keys]
    vector_keys.announce(tx, subject, "mem0_entities" if is_entity else "mem0", intents, step_id=step_id)


def _stands(tx: Transaction, plan: IndexingPlan) -> bool:
    """Enter the fence; whether the memory may still be read where its person's vectors are now."""
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    return (
        subject is not None
        and subject.namespace == plan.subject.namespace
        and memories.are_visible(tx, [plan.memory_id])
    )
