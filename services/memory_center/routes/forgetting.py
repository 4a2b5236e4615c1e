"""Forget (MC-07, MC-09…MC-11): accepted at once, erased and proven by the workers."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Response

from services.edge import Caller, CurrentCaller, IdempotencyKey, UndoSecondsQuery, UserIdQuery
from services.memory_center.schemas import AcceptedOut, ForeseenOut, ForgetIn
from shared.commands.foresee import Foreseen, foresee
from shared.commands.forget import Wish, forget_conversation, forget_memory, forget_message, forget_user
from shared.commands.idempotently import run_once
from shared.domain.forgetting import CONFIRMATIONS
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject
from shared.runtime import telemetry

router = APIRouter(prefix="/api/v1/memory", tags=["forgetting"])


@router.post("/forget", status_code=202)
def forget(body: ForgetIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> AcceptedOut:
    """Forget a message, a conversation or everything. From the 202 on nothing of it is served."""

    def accept(tx: Transaction, subject: Subject) -> dict[str, Any]:
        wish = Wish(actor=caller.actor, undo_seconds=body.undo_seconds)
        _accept(tx, subject, body, wish, confirmation=body.confirmation)
        return _answer(wish)

    def work(tx: Transaction) -> dict[str, Any]:
        once = caller.once(key, body, route="forget")
        return run_once(tx, once, lambda: _subject(tx, caller, body), lambda subject: accept(tx, subject))

    return _accepted(AcceptedOut(**caller.transact(work)), response, body.scope)


@router.post("/forget/dry-run")
def foresee_forget(body: ForgetIn, caller: CurrentCaller) -> ForeseenOut:
    """Return what a forget would take, by store, exactly; nothing is changed and no phrase is needed."""

    def work(tx: Transaction) -> None:
        wish = Wish(actor=caller.actor)
        _accept(tx, _subject(tx, caller, body), body, wish, confirmation=min(CONFIRMATIONS))
        foresee(tx, wish.operation_id)

    try:
        caller.transact(work)
    except Foreseen as foreseen:
        return ForeseenOut(counts=foreseen.counts, turns_learned_again=foreseen.survivors)
    raise AssertionError


@router.delete("/long_term/{memory_id}", status_code=202)
def delete_long_term(
    memory_id: Annotated[UUID, Path()],
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    undo_seconds: UndoSecondsQuery = 0,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget one long-term memory; the message it came from stays and is not learned from there again."""

    def accept(tx: Transaction, subject: Subject) -> dict[str, Any]:
        wish = Wish(actor=caller.actor, undo_seconds=undo_seconds)
        forget_memory(tx, subject, memory_id, wish)
        return _answer(wish)

    def work(tx: Transaction) -> dict[str, Any]:
        once = caller.once(key, None, route=f"delete_long_term {memory_id} {undo_seconds}")
        return run_once(
            tx,
            once,
            lambda: caller.owner(tx, "memory", memory_id, user_id),
            lambda subject: accept(tx, subject),
        )

    return _accepted(AcceptedOut(**caller.transact(work)), response, "selection")


def _subject(tx: Transaction, caller: Caller, body: ForgetIn) -> Subject:
    if body.scope == "message" and body.message_id is not None:
        return caller.owner(tx, "message", body.message_id, body.user_id)
    if body.scope == "conversation" and body.conversation_id is not None:
        return caller.owner(tx, "conversation", body.conversation_id, body.user_id)
    return caller.subject(tx, body.user_id)


def _accept(tx: Transaction, subject: Subject, body: ForgetIn, wish: Wish, *, confirmation: str | None) -> None:
    if body.scope == "message" and body.message_id is not None:
        forget_message(tx, subject, body.message_id, wish, cascade=body.cascade)
    elif body.scope == "conversation" and body.conversation_id is not None:
        forget_conversation(tx, subject, body.conversation_id, wish)
    else:
        forget_user(tx, subject, wish, confirmation=confirmation, close_account=body.close_account)


def _answer(wish: Wish) -> dict[str, Any]:
    return {"op_id": str(wish.operation_id), "receipt_id": str(wish.receipt_id)}


def _accepted(accepted: AcceptedOut, response: Response, scope: str) -> AcceptedOut:
    telemetry.MEMORY_OP.labels(op="forget", scope=scope).inc()
    response.headers["Location"] = f"/api/v1/memory/ops/{accepted.op_id}"
    response.headers["Retry-After"] = "1"
    return accepted
