"""The learner's tasks: learn from turns, consolidate sessions and index memories (MC-05)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.memories.consolidate import consolidate_conversation
from shared.memories.learn import ContextChanged, plan_learning
from shared.outbox.job_kinds import LEARN_MEMORY, LEARNING, MEMORY_CONSOLIDATE, MEMORY_INDEX
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease
from shared.runtime import telemetry
from shared.stores.port import FenceLost
from shared.traits.observe import observe_conversation
from shared.traits.reflect import queue_after_session
from workers.celery_app import app
from workers.learner.indexing import index_memory
from workers.learner.turn import LearnedTurn
from workers.leases import Postponed
from workers.process import leased_work, process

CONTEXT_MESSAGES = 10
"""Earlier messages shown to a language model with a turn."""
BEFORE_MESSAGES = 2
"""Earlier messages shown to the bundled reader: usually the question and the message before it."""

LEARNING_SECONDS: Final = 5.0
"""Pause while the last turns of a session are still being learned from."""


@app.task(name="learner.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Learn from the turns of these outbox rows and index memories; rows that are claimed or done are skipped."""
    leased_work().run_each(outbox_ids, _do, kinds=LEARNING)


def _do(lease: Lease) -> None:
    KINDS[lease.kind](lease)


def learn_from_turn(lease: Lease) -> None:
    """Extract, announce, write and confirm the facts one turn states about its person.

    mem0 is opened first: nothing slow may run between reading the sources and asking a model.
    """
    mem0, database = process().mem0, process().database.of(lease.subject_id)
    context = CONTEXT_MESSAGES if process().endpoint else BEFORE_MESSAGES
    plan = database.transact(lambda tx: plan_learning(tx, lease, terms=process().terms, context=context))
    if plan is None:
        return
    turn = LearnedTurn(plan, mem0)
    try:
        try:
            turn.learn()
        except FenceLost:
            turn.give_up()
        turn.confirm()
    except ContextChanged:
        raise Postponed("context_changed", 0.0) from None
    finally:
        turn.end_writes()


def consolidate_session(lease: Lease) -> None:
    """Move a session's memories to the long-term level, once all its turns were learned from (LT-04)."""
    database = process().database.of(lease.subject_id)
    if not database.transact(lambda tx: consolidate_conversation(tx, lease)):
        raise Postponed("learning", LEARNING_SECONDS)
    database.transact(lambda tx: _reflect_on_session(tx, lease))


def _reflect_on_session(tx: Transaction, lease: Lease) -> None:
    """Observe what the session shows as a whole, queue the reflection on it, and close the row."""
    observe_conversation(
        tx,
        lease.subject_id,
        UUID(lease.payload["conversation_id"]),
        terms=process().terms,
        refused=lambda category: telemetry.TRAIT_REFUSED.labels(category).inc(),
    )
    queue_after_session(tx, lease.subject_id, asks=process().endpoint is not None)
    leasing.close(tx, lease)


KINDS: Final[dict[str, Callable[[Lease], None]]] = {
    LEARN_MEMORY: learn_from_turn,
    MEMORY_INDEX: index_memory,
    MEMORY_CONSOLIDATE: consolidate_session,
}
