"""Remove keys that were announced and written, but whose item was never created."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence
from shared.lineage.sql import lineage, vector_keys
from shared.outbox.job_kinds import DISCARD_VECTORS
from shared.outbox.sql import leasing, outbox
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.outbox import Work

ABANDONED_AFTER_SECONDS = 60.0
BATCH = 500


def queue_abandoned(tx: Transaction) -> int:
    """Queue the removal of abandoned keys; return how many were found."""
    found = vector_keys.abandoned(tx, older_seconds=ABANDONED_AFTER_SECONDS, limit=BATCH, queued_as=DISCARD_VECTORS)
    for subject_id, namespace, key, store in found:
        payload = {"store": store, "namespace": str(namespace), "keys": [str(key)]}
        outbox.add(tx, subject_id, [Work(kind=DISCARD_VECTORS, payload=payload, dedupe_key=str(key))])
    return len(found)


def give_up_keys(tx: Transaction, lease: Lease) -> list[UUID]:
    """Give up announced keys, so that their writers can no longer confirm them; keys confirmed meanwhile are kept."""
    enter_fence(tx, lease.subject_id)
    return vector_keys.give_up(tx, [UUID(value) for value in lease.payload["keys"]])


def confirm_discard(tx: Transaction, lease: Lease, keys: Sequence[UUID]) -> None:
    """Delete keys whose absence was proven, with the edges announced for them.

    Raises:
        LeaseLost: another worker holds the row now.
    """
    leasing.close(tx, lease)
    lineage.forget_unborn(tx, keys)
    vector_keys.delete(tx, keys)
