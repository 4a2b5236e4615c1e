"""Forget (MC-07, MC-09…MC-11): accepted at once, erased and proven by the workers."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Response

from services.edge import Caller, CurrentCaller, IdempotencyKey, UserIdQuery
from services.memory_center.schemas import AcceptedOut, ForgetIn
from shared.commands.forget import forget_conversation, forget_memory, forget_message, forget_user
from shared.commands.idempotently import run_once
from shared.domain.ids import OperationId
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject
from shared.runtime import telemetry

router = APIRouter(prefix="/api/v1/memory", tags=["forgetting"])


@router.post("/forget", status_code=202)
def forget(body: ForgetIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> AcceptedOut:
    """Forget a message, a conversation or everything. From the 202 on nothing of it is served."""

    def work(tx: Transaction) -> dict[str, Any]:
        once = caller.once(key, body, route="forget")
        return run_once(
            tx,
            once,
            lambda: _subject(tx, caller, body),
            lambda subject: {"op_id": str(_accept(tx, caller, subject, body))},
        )

    return _accepted(AcceptedOut(**caller.transact(work)), response, body.scope)


@router.delete("/long_term/{memory_id}", status_code=202)
def delete_long_term(
    memory_id: Annotated[UUID, Path()],
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget one long-term memory; the message it came from stays and is not learned from there again."""

    def work(tx: Transaction) -> dict[str, Any]:
        once = caller.once(key, None, route=f"delete_long_term {memory_id}")
        return run_once(
            tx,
            once,
            lambda: caller.owner(tx, "memory", memory_id, user_id),
            lambda subject: {"op_id": str(forget_memory(tx, subject, memory_id, actor=caller.actor))},
        )

    return _accepted(AcceptedOut(**caller.transact(work)), response, "selection")


def _subject(tx: Transaction, caller: Caller, body: ForgetIn) -> Subject:
    if body.scope == "message" and body.message_id is not None:
        return caller.owner(tx, "message", body.message_id, body.user_id)
    if body.scope == "conversation" and body.conversation_id is not None:
        return caller.owner(tx, "conversation", body.conversation_id, body.user_id)
    return caller.subject(tx, body.user_id)


def _accept(tx: Transaction, caller: Caller, subject: Subject, body: ForgetIn) -> OperationId:
    if body.scope == "message" and body.message_id is not None:
        return forget_message(tx, subject, body.message_id, cascade=body.cascade, actor=caller.actor)
    if body.scope == "conversation" and body.conversation_id is not None:
        return forget_conversation(tx, subject, body.conversation_id, actor=caller.actor)
    return forget_user(tx, subject, confirmation=body.confirmation, actor=caller.actor)


def _accepted(accepted: AcceptedOut, response: Response, scope: str) -> AcceptedOut:
    telemetry.MEMORY_OP.labels(op="forget", scope=scope).inc()
    response.headers["Location"] = f"/api/v1/memory/ops/{accepted.op_id}"
    response.headers["Retry-After"] = "1"
    return accepted
