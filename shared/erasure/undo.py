"""Undo a forget while nothing was erased (X-08)."""

from __future__ import annotations

from uuid import UUID

from shared.conversations.sql import clearing, conversations
from shared.kernel import event_log, idempotency_keys, items
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, TooLateToUndo
from shared.kernel.events import OperationCancelled
from shared.kernel.locks import close_fence
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn
from shared.outbox.sql import operations, outbox, scheduling, targets


def cancel_operation(tx: Transaction, subject: Subject, operation_id: UUID, *, actor: str) -> None:
    """Show what an operation hid, unless another operation hides it too; safe to repeat.

    Raises:
        NotFound: the operation is not this person's.
        TooLateToUndo: the time to undo is over, or there never was any.
        SubjectBusy: the fence could not be taken in time.
    """
    close_fence(tx, subject.id)
    operation = operations.read(tx, subject.id, operation_id)
    if operation is None:
        raise NotFound("operation")
    if operation.status == "cancelled":
        return
    if not operations.may_be_undone(tx, operation_id) or not outbox.withdraw_operation(tx, operation_id):
        raise TooLateToUndo
    target = targets.read(tx, operation_id)
    operations.unhide(tx, operation_id)
    operations.cancel(tx, operation_id)
    do_not_learn.unmark(tx, operation_id)
    idempotency_keys.void(tx, subject.id, operation_id)
    if target.scope in ("conversation", "clear") and target.conversation_id is not None:
        clearing.restore_cleared(tx, target.conversation_id)
        conversations.give_up_taken(tx, subject.id, target.conversation_id)
    for kind in items.kinds():
        if kind.on_undo:
            kind.on_undo(tx, subject, operation_id)
    event_log.append(tx, subject, operation_id, [OperationCancelled()], actor=actor)
    scheduling.make_due(tx, subject.id, code="undo_possible")
