"""Try an operation's failed and waiting steps again at once."""

from __future__ import annotations

from uuid import UUID

from shared.commands.refusals import NotFound
from shared.domain.events import OperationRetried
from shared.persistence import events, operations, reviving, steps
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject


def retry_operation(tx: Transaction, subject: Subject, operation_id: UUID, *, actor: str) -> int:
    """Make failed and delayed steps due now, on record; returns how many.

    Raises:
        NotFound: the operation is not this person's.
    """
    if operations.read(tx, subject.id, operation_id) is None:
        raise NotFound("operation")
    touched = reviving.retry_operation(tx, operation_id)
    if touched:
        steps.reopen_failed(tx, operation_id)
        events.append(tx, subject, operation_id, [OperationRetried(steps=touched)], actor=actor)
    return touched
