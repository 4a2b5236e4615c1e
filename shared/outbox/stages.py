"""The stages of a forget operation: which of its steps may start, and closing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import (
    ERASE_FILES,
    ERASE_MEM0,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    RECORD_ACCEPTED,
    RECORD_VERIFIED,
    REDERIVE,
    VERIFY,
)
from shared.outbox.sql import leasing, steps
from shared.outbox.sql.leasing import Lease

STAGES: Final = (
    {"ledger": RECORD_ACCEPTED},
    {"postgres": ERASE_POSTGRES, "milvus": ERASE_MILVUS, "mem0": ERASE_MEM0, "files": ERASE_FILES},
    {"rederive": REDERIVE},
    {"verify": VERIFY},
    {"receipt": RECORD_VERIFIED},
)
"""Step name → outbox kind. A stage starts when the previous one has closed. Its steps run independently, so that an
unavailable store does not block the others."""


def next_steps(statuses: dict[str, str]) -> dict[str, str]:
    """Return the steps that may start now, with their outbox kinds.

    Args:
        statuses: all steps of one operation with their status.
    """
    for stage in STAGES:
        if waiting := {name: kind for name, kind in stage.items() if statuses.get(name) == "waiting"}:
            return waiting
        if any(statuses.get(name, "succeeded") != "succeeded" for name in stage):
            return {}
    return {}


def close_step(tx: Transaction, lease: Lease, counts: Mapping[str, int]) -> None:
    """Mark a step as succeeded and store its counts; closing the last step completes the operation.

    Raises:
        LeaseLost: another worker holds the row; the transaction must not commit.
    """
    leasing.close(tx, lease)
    assert lease.step_id is not None and lease.operation_id is not None  # noqa: S101, PT018 # rows of operations have both
    if ready := next_steps(steps.close(tx, lease.step_id, counts)):
        steps.make_ready(tx, lease.operation_id, lease.subject_id, ready)
