"""Operations in the API, with dates derived from the deployment's policy."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from services.memory_center.schemas import OperationOut
from shared.outbox.sql.operations import Operation
from shared.runtime.policies import RetentionPolicy


def operation_out(operation: Operation, retention: RetentionPolicy) -> OperationOut:
    expected = purge_expected(operation.erased_at, operation.purged_at, retention)
    return OperationOut(**asdict(operation), purge_expected_at=expected)


def purge_expected(
    erased_at: datetime | None, purged_at: datetime | None, retention: RetentionPolicy
) -> datetime | None:
    """Return when the next purge will have overwritten erased data; None before the erasure and after the purge."""
    if erased_at is None or purged_at is not None:
        return None
    return erased_at + retention.erased.purged_every
