"""A memory written by hand or from feedback gets its copy in mem0."""

from __future__ import annotations

from uuid import UUID

from shared.commands.confirm_learning import end_writes
from shared.commands.index_memory import IndexingPlan, announce_indexing, confirm_indexing, plan_indexing
from shared.commands.learn_memory import SwitchedOff
from shared.models import terms
from shared.persistence.outbox import Lease
from shared.persistence.vectors import IntentsLost
from workers.leases import Postponed
from workers.process import process

SWITCHED_OFF_SECONDS = 300.0
"""How long what waits for a person to turn long-term memory on looks whether they did."""


def index_memory(lease: Lease) -> None:
    """Write one memory to mem0 and confirm it; a forget that comes in between wins."""
    _ = process().mem0  # opened first: nothing slow stands between looking and writing
    try:
        plan = process().database.transact(lambda tx: plan_indexing(tx, lease, defaults=process().defaults))
    except SwitchedOff:
        raise Postponed("switched_off", SWITCHED_OFF_SECONDS) from None
    if plan is not None:
        _write(plan)


def _write(plan: IndexingPlan) -> None:
    announced: list[UUID] = []
    key = process().remember(
        plan.subject.namespace,
        plan.text,
        announced,
        lambda tx, keys, kind: announce_indexing(tx, plan, keys, kind),
    )
    found_by = terms.digests(terms.words(plan.text), plan.subject.namespace)
    try:
        process().database.transact(lambda tx: confirm_indexing(tx, plan, key, found_by=found_by))
    except IntentsLost:
        raise Postponed("write_given_up", 0.0) from None
    finally:
        # What was confirmed has no intent left; of the rest nothing more arrives, as the call is over.
        process().database.transact(lambda tx: end_writes(tx, announced))
