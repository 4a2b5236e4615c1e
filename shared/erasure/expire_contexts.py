"""Erase what was said for a task when its day is over, like anything forgotten: verified and with a receipt (FC-01)."""

from __future__ import annotations

from uuid import UUID

from shared.contexts.sql import contexts
from shared.erasure.accept import ForgetRequest, accept_forget, fenced
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ContextExpired

ACTOR = "system:retention"
AT_ONCE = 500


def expire_contexts(tx: Transaction, subject_id: UUID) -> int:
    """Accept the erasure of a person's expired contexts; return how many.

    Raises:
        SubjectBusy: the fence could not be taken in time.
    """
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return 0
    subject = fenced(tx, subject)
    gone = contexts.expired(tx, subject, limit=AT_ONCE)
    if not gone:
        return 0
    request = ForgetRequest(actor=ACTOR)
    accept_forget(tx, subject, request, "expiry", {"context": gone}, preferences=False)
    for id_ in gone:
        event_log.append(tx, subject, id_, [ContextExpired(operation_id=request.operation_id)], actor=ACTOR)
    return len(gone)
