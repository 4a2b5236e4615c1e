"""Forget a conversation, or only its messages so far (MC-10)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Response

from services.api import (
    AcceptedOut,
    CurrentCaller,
    IdempotencyKey,
    UndoSecondsQuery,
    UserIdQuery,
    request_id,
)
from services.conversations.schemas import ClearIn
from shared.erasure.accept import ForgetRequest
from shared.erasure.forget import clear_conversation, forget_conversation
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.recall.sql import traces
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["conversations"])


@router.delete("/conversations/{conversation_id}", status_code=202)
def delete_conversation(
    conversation_id: Annotated[UUID, Path()],
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    undo_seconds: UndoSecondsQuery = 0,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget a conversation and everything derived from it."""

    return caller.forget(
        caller.once(key, None, route=f"delete_conversation {conversation_id} {undo_seconds}"),
        response,
        lambda tx: caller.owner(tx, "conversation", conversation_id, user_id),
        lambda tx, subject, wanted: forget_conversation(tx, subject, conversation_id, wanted),
        undo_seconds=undo_seconds,
        scope="conversation",
    )


@router.post("/clear", status_code=202)
def clear(body: ClearIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> AcceptedOut:
    """Forget the messages of a conversation so far; the conversation itself remains."""

    def accept(tx: Transaction, subject: Subject, wanted: ForgetRequest) -> None:
        clear_conversation(tx, subject, body.conversation_id, wanted)
        trace = {"route": "clear", "actor": caller.actor, "operation": str(wanted.operation_id)}
        traces.add(tx, subject, request_id(), trace, conversation_id=body.conversation_id)

    return caller.forget(
        caller.once(key, body, route="clear"),
        response,
        lambda tx: caller.owner(tx, "conversation", body.conversation_id, body.user_id),
        accept,
        undo_seconds=body.undo_seconds,
        scope="clear",
    )
