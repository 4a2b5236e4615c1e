"""Copy a visible memory to mem0 in three steps: plan, announce, (write to mem0,) confirm.

A memory written by its person is also compared with existing memories, as learned facts are (LT-03).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.consent.allows import SwitchedOff, allows
from shared.consent.rules.policy import Terms
from shared.conversations.sql import search_terms
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryDisputed
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent, IntentsLost
from shared.memories.change import change_memory
from shared.memories.confirm_learning import ACTOR, Comparison
from shared.memories.sql import comparable, memories
from shared.memories.sql.comparable import Comparable
from shared.memories.supersession import append
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease

BY_HAND: Final = "person"
"""The method of memories that a person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexingPlan:
    """A memory to write to mem0.

    Args:
        unsearchable: new memories without a vector, which no search finds yet.
        is_by_hand: whether the person wrote the memory or its wording.
    """

    lease: Lease
    subject: Subject
    memory: Comparable
    project_id: str | None
    unsearchable: tuple[Comparable, ...]
    is_by_hand: bool

    @property
    def memory_id(self) -> UUID:
        return self.memory.id

    @property
    def text(self) -> str:
        return self.memory.text


def plan_indexing(tx: Transaction, lease: Lease, *, terms: Terms) -> IndexingPlan | None:
    """Decide whether to write a memory to mem0. If it is gone or already there, close the row and return None.

    Raises:
        SwitchedOff: it must wait until the person turns long-term memory on.
        UndoPossible: the memory is hidden by a forget that can still be undone.
        LeaseLost: another worker holds the row.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    memory_id = UUID(lease.payload["memory_id"])
    memory = memories.read(tx, lease.subject_id, memory_id)
    if memory is None:
        await_undo(tx, lease.subject_id)
    if subject is None or memory is None or vector_keys.is_written(tx, "memory", memory_id):
        leasing.close(tx, lease)
        return None
    if not allows(tx, subject.id, "remember", terms=terms):
        raise SwitchedOff
    is_by_hand = memory.method == BY_HAND and not memory.superseded
    recent = comparable.created_since(tx, subject.id, tx.now(), project_id=memory.project_id) if is_by_hand else ()
    said_at = memory.spoken_at or memory.created_at
    return IndexingPlan(
        lease=lease,
        subject=subject,
        memory=Comparable(
            id=memory_id,
            text=memory.text,
            content_type=memory.content_type,
            said_at=said_at,
            task_hint=memory.task_hint,
            taboo=memory.taboo,
            project_id=memory.project_id,
        ),
        project_id=memory.project_id,
        unsearchable=tuple(memory for memory in recent if not memory.searchable),
        is_by_hand=is_by_hand,
    )


def announce_indexing(tx: Transaction, plan: IndexingPlan, keys: Sequence[UUID], kind: str) -> bool:
    """Commit the intents before mem0 writes; False if the memory is gone and nothing may be written."""
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
    """Record that mem0 stores the memory under `key` and close the row; return whether the copy is valid.

    False if the memory is gone: the forget knows the key and erases the copy.

    Args:
        key: None if announcing was refused.
        found_by: the digests of its words (`shared.language.terms`).
        comparison: how it relates to older memories.
        has_vector: False if its text has no vector; it is then found by its words only.

    Raises:
        UndoPossible: the memory is hidden by a forget that can still be undone.
        IntentsLost: the key was given up in the meantime, or what was refused would be allowed now.
        LeaseLost: another worker holds the row; nothing is confirmed.
    """
    one_at_a_time(tx, "learning", str(plan.subject.id))
    stands = _stands(tx, plan)
    if not stands:
        await_undo(tx, plan.subject.id)
    elif key is None and has_vector:  # the forget was undone meanwhile
        raise IntentsLost
    leasing.close(tx, plan.lease)
    if not stands:
        return False
    if key is not None:
        vector_keys.confirm(tx, [key])
    search_terms.of_memories(tx, plan.subject.id, {plan.memory_id: found_by})
    _take_place(tx, plan, comparison)
    return True


def _take_place(tx: Transaction, plan: IndexingPlan, comparison: Comparison) -> None:
    """Record how a memory relates to others, as far as all of them are still current."""
    wanted = [plan.memory_id, *filter(None, (comparison.supersedes, comparison.contradicts))]
    holding = {one.id for one in comparable.comparable(tx, plan.subject.id, wanted, project_id=plan.project_id)}
    if plan.memory_id not in holding:
        return
    if comparison.supersedes in holding and comparison.supersedes is not None:
        append(tx, plan.subject, plan.memory_id, comparison.supersedes, actor=ACTOR)
    memory = memories.for_change(tx, plan.subject, plan.memory_id)
    if memory is not None and memory.contradicts is None and comparison.contradicts in holding:
        assert comparison.contradicts is not None  # noqa: S101 # it holds
        disputed = MemoryDisputed(contradicts=comparison.contradicts)
        change_memory(tx, plan.subject, plan.memory_id, memory, disputed, actor=ACTOR)


def announce_copies(
    tx: Transaction, subject: Subject, memory_id: UUID, keys: Sequence[UUID], kind: str, *, step_id: int
) -> None:
    """Record the intents of mem0's writes for one memory.

    Args:
        kind: "memory", or "entity" for the rows mem0 stores for the names in it.
    """
    is_entity = kind == "entity"
    intents = [Intent(pk=key, item_kind=kind, item_id=key if is_entity else memory_id) for key in keys]
    vector_keys.announce(tx, subject, "mem0_entities" if is_entity else "mem0", intents, step_id=step_id)


def _stands(tx: Transaction, plan: IndexingPlan) -> bool:
    """Acquire the fence; return whether the memory is visible and the person's namespace unchanged."""
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    return (
        subject is not None
        and subject.namespace == plan.subject.namespace
        and memories.are_visible(tx, [plan.memory_id])
    )
