"""The progress of operations such as forgets (MC-08)."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Request, Response

from services.api import CurrentCaller, IdempotencyKey, UserIdQuery
from services.memory_center.schemas import CancelledOut, OperationOut, RetriedOut
from services.pages import Cursor, Limit, item_before, next_link
from shared.erasure.undo import cancel_operation
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.outbox.retry import retry_operation
from shared.outbox.sql import operations
from shared.outbox.sql.operations import Operation
from shared.runtime.policies import RetentionPolicy
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["operations"])

OperationId = Annotated[UUID, Path()]


@router.get("/ops")
def list_operations(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> list[OperationOut]:
    """Return a person's operations, newest first."""
    before = item_before(cursor)

    def work(tx: Transaction) -> list[Operation]:
        subject = caller.known_subject(tx, user_id)
        return operations.page(tx, subject.id, before=before, limit=limit) if subject else []

    found = caller.transact(work)
    response.headers.update(next_link(request, [one.id for one in found], limit))
    return [operation_out(one, caller.retention) for one in found]


@router.get("/ops/{op_id}")
def get_operation(op_id: OperationId, response: Response, caller: CurrentCaller) -> OperationOut:
    """Return one operation with its steps. While it runs, Retry-After says when to ask again."""

    def work(tx: Transaction) -> OperationOut:
        subject = caller.owner(tx, "operation", op_id)
        found = operations.read(tx, subject.id, op_id)
        if found is None:
            raise NotFound("operation")
        return operation_out(found, caller.retention)

    operation = caller.transact(work)
    if operation.status in ("pending", "running"):
        response.headers["Retry-After"] = "1"
    return operation


@router.post("/ops/{op_id}/cancel")
def cancel(op_id: OperationId, caller: CurrentCaller) -> CancelledOut:
    """Undo a forget before its `not_before`; hidden data reappears. Its Idempotency-Key cannot be reused."""

    def work(tx: Transaction) -> None:
        cancel_operation(tx, caller.owner(tx, "operation", op_id), op_id, actor=caller.actor)

    caller.transact(work)
    return CancelledOut(op_id=op_id)


@router.post("/ops/{op_id}/retry", status_code=202)
def retry(op_id: OperationId, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> RetriedOut:
    """Retry failed and waiting steps immediately."""

    def again(tx: Transaction, subject: Subject) -> dict[str, Any]:
        return {"retried_steps": retry_operation(tx, subject, op_id, actor=caller.actor)}

    once = caller.once(key, None, route=f"retry {op_id}")
    found = caller.transact_once(once, lambda tx: caller.owner(tx, "operation", op_id), again)
    answer = RetriedOut(op_id=op_id, **found)
    response.headers["Location"] = f"/api/v1/memory/ops/{op_id}"
    return answer


def operation_out(operation: Operation, retention: RetentionPolicy) -> OperationOut:
    """Return an operation as the API shows it, with dates that follow from the deployment's policy."""
    expected = purge_expected(operation.erased_at, operation.purged_at, retention)
    return OperationOut(**asdict(operation), purge_expected_at=expected)


def purge_expected(
    erased_at: datetime | None, purged_at: datetime | None, retention: RetentionPolicy
) -> datetime | None:
    """Return when the next purge will have overwritten erased data; None before the erasure and after the purge."""
    if erased_at is None or purged_at is not None:
        return None
    return erased_at + retention.erased.purged_every
