"""Physically purge forgotten content from the stores' files: queue the purge and close its steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from shared.erasure.sql import purging, reconciling
from shared.erasure.sql.reconciling import Part
from shared.kernel.database import Transaction
from shared.kernel.ids import OperationId
from shared.kernel.locks import one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import INSTALLATION
from shared.outbox.job_kinds import PURGE_MEM0, PURGE_MILVUS, PURGE_POSTGRES
from shared.outbox.sql import leasing, steps
from shared.outbox.sql.leasing import Lease

STEPS: Final = {"postgres": PURGE_POSTGRES, "milvus": PURGE_MILVUS, "mem0": PURGE_MEM0}
"""Step name → outbox kind. The steps are independent: if a store is down, the others are not blocked."""


def queue_purge(tx: Transaction) -> OperationId | None:
    """Queue a purge of the installation; None if one is in progress or nothing was forgotten since the last."""
    one_at_a_time(tx, purging.TYPE, patient=True)
    if not purging.is_due(tx):
        return None
    operation_id = OperationId(new_id())
    parts = {name: Part(kind=kind, payload={}) for name, kind in STEPS.items()}
    reconciling.add(tx, INSTALLATION, operation_id, type_=purging.TYPE, parts=parts)
    return operation_id


def confirm_purge(tx: Transaction, lease: Lease, started_at: datetime, counts: Mapping[str, int]) -> None:
    """Close a step. The last step closes the purge and marks every forget verified before the first step as purged.

    Args:
        started_at: the database's clock before the step read its store.

    Raises:
        LeaseLost: another worker holds the row now.
    """
    assert lease.operation_id is not None  # noqa: S101 # every row of these kinds has its operation
    assert lease.step_id is not None  # noqa: S101 # and its step
    purging.hold(tx, lease.operation_id)
    leasing.close(tx, lease)
    statuses = steps.close(tx, lease.step_id, counts)
    purging.note_start(tx, lease.step_id, started_at)
    if set(statuses.values()) == {"succeeded"}:
        purging.mark_purged(tx, lease.operation_id)
