"""Retry the failed and delayed steps of an operation immediately."""

from __future__ import annotations

from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.events import OperationRetried
from shared.kernel.subjects import Subject
from shared.outbox.sql import operations, reaper, steps


def retry_operation(tx: Transaction, subject: Subject, operation_id: UUID, *, actor: str) -> int:
    """Make failed and delayed steps due now and record the retry as an event; return how many.

    Raises:
        NotFound: the operation does not belong to this person.
    """
    if operations.read(tx, subject.id, operation_id) is None:
        raise NotFound("operation")
    touched = reaper.retry_operation(tx, operation_id)
    if touched:
        steps.reopen_failed(tx, operation_id)
        event_log.append(tx, subject, operation_id, [OperationRetried(steps=touched)], actor=actor)
    return touched
