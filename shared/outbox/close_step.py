"""Close a step of an operation and start the steps that depend on it."""

from __future__ import annotations

from collections.abc import Mapping

from shared.kernel.database import Transaction
from shared.outbox.sql import leasing, steps
from shared.outbox.sql.leasing import Lease
from shared.outbox.stages import next_steps


def close_step(tx: Transaction, lease: Lease, counts: Mapping[str, int]) -> None:
    """Mark a step as succeeded and store its counts; closing the last step completes the operation.

    Raises:
        LeaseLost: another worker holds the row; the transaction must not commit.
    """
    leasing.close(tx, lease)
    assert lease.step_id is not None and lease.operation_id is not None  # noqa: S101, PT018 # rows of operations have both
    if ready := next_steps(steps.close(tx, lease.step_id, counts)):
        steps.make_ready(tx, lease.operation_id, lease.subject_id, ready)
