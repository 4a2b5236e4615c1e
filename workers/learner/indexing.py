"""Copies memories written by hand or from feedback to mem0 and compares the former with existing ones (LT-03)."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from shared.language import terms
from shared.language.embedding.bundled import Unembeddable
from shared.language.embedding.maps import towards_concerned
from shared.memories.confirm_learning import Comparison, end_writes
from shared.memories.index import IndexingPlan, announce_indexing, confirm_indexing, plan_indexing
from shared.memories.sql.comparable import Comparable
from shared.outbox.sql.leasing import Lease
from shared.runtime import telemetry
from workers.learner.comparing import SEARCHED, by_hand, nearest
from workers.process import process
from workers.remembering import remember


def index_memory(lease: Lease) -> None:
    """Write one memory to mem0 and confirm it; a concurrent forget wins."""
    _ = process().mem0  # opened first: nothing slow may run between reading and writing
    database = process().database.of(lease.subject_id)
    plan = database.transact(lambda tx: plan_indexing(tx, lease, terms=process().terms))
    if plan is not None:
        _write(plan)


def _compared(plan: IndexingPlan) -> Comparison:
    """Compare the memory with the nearest ones and those without a vector."""
    if not plan.is_by_hand:
        return Comparison()
    try:
        vector = towards_concerned(process().embedder.passages([plan.text])[0])
        hits = list(process().mem0.nearest(plan.subject.namespace, vector, limit=SEARCHED))
    except Unembeddable:
        hits = []

    def same_task(memory: Comparable) -> bool:
        """Return whether a memory is for the same task; the same text for another task is a different memory."""
        return memory.task_hint == plan.memory.task_hint

    look = partial(
        nearest,
        subject_id=plan.subject.id,
        text=plan.text,
        hits=hits,
        project_id=plan.project_id,
        may_concern=same_task,
    )
    near = process().database.of(plan.subject.id).transact(look)
    memories = {memory.id: memory for memory in (*near.memories, *filter(same_task, plan.unsearchable))}
    return by_hand(plan.memory, list(memories.values()), process().reader, among=near.among)


def _write(plan: IndexingPlan) -> None:
    comparison, database = _compared(plan), process().database.of(plan.subject.id)
    announced: list[UUID] = []
    key, has_vector = None, True
    try:
        key = remember(
            plan.subject,
            plan.text,
            announced,
            lambda tx, keys, kind: announce_indexing(tx, plan, keys, kind),
        )
    except Unembeddable:
        has_vector = False
        telemetry.UNEMBEDDABLE.inc()
    found_by = terms.digests(terms.words(plan.text), plan.subject.namespace)
    try:
        database.transact(
            lambda tx: confirm_indexing(tx, plan, key, found_by=found_by, comparison=comparison, has_vector=has_vector)
        )
    finally:
        # Confirmed keys have no intent left; no other write can arrive because the call has ended.
        database.transact(lambda tx: end_writes(tx, announced))
