"""Messages: record and read them (MC-01)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Query

from services.api import CurrentCaller, IdempotencyKey, UserIdQuery, request_id
from services.conversations.schemas import MessageOut, MessagesIn, MessagesRecordedOut
from services.pages import Limit
from shared.conversations.record import Draft, record_messages
from shared.conversations.sql import conversations, messages
from shared.conversations.sql.messages import Message
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.recall.sql import traces
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["conversations"])

BODY_LIMITS: Final = {"/api/v1/messages": None}
"""A hundred messages of up to 32,000 characters each: limited by the operator's setting only."""


@router.post("/messages", status_code=201)
def post_messages(body: MessagesIn, caller: CurrentCaller, key: IdempotencyKey = None) -> MessagesRecordedOut:
    """Record one or more messages in order; a repeated `client_message_id` changes nothing."""
    drafts = [Draft(**message.model_dump()) for message in body.messages]

    def owner(tx: Transaction) -> Subject:
        return caller.owner(tx, "conversation", body.conversation_id, body.user_id)

    def record(tx: Transaction, subject: Subject) -> dict[str, Any]:
        recorded = record_messages(
            tx,
            subject,
            body.conversation_id,
            drafts,
            terms=caller.terms,
            actor=caller.actor,
            learning_schedule=caller.learning_schedule,
            summary_schedule=caller.retention.summary_schedule,
        )
        outcomes = [{"id": str(one.id), "outcome": one.outcome} for one in recorded]
        trace = {"route": "post_messages", "actor": caller.actor, "messages": outcomes}
        traces.add(tx, subject, request_id(), trace, conversation_id=body.conversation_id)
        return {"messages": outcomes}

    once = caller.once(key, body, route="post_messages")
    answer = MessagesRecordedOut(**caller.transact_once(once, owner, record))
    telemetry.MEMORY_OP.labels(op="record", scope="message").inc(len(answer.messages))
    return answer


@router.get("/messages")
def list_messages(
    conversation_id: Annotated[UUID, Query()],
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    limit: Limit = 50,
    before_seq: Annotated[int | None, Query(ge=1, le=2**62)] = None,
    completed_only: Annotated[bool, Query()] = False,  # noqa: FBT002 # a query parameter
) -> list[MessageOut]:
    """Return the newest messages of a conversation, oldest first."""

    def work(tx: Transaction) -> list[MessageOut]:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        if not conversations.is_visible(tx, subject.id, conversation_id):
            raise NotFound("conversation")
        found = messages.window(tx, conversation_id, limit=limit, before_seq=before_seq, completed_only=completed_only)
        return [_message(one) for one in found]

    return caller.transact(work)


@router.get("/messages/{message_id}")
def get_message(message_id: Annotated[UUID, Path()], caller: CurrentCaller, user_id: UserIdQuery = None) -> MessageOut:
    """Return one message."""

    def work(tx: Transaction) -> MessageOut:
        subject = caller.owner(tx, "message", message_id, user_id)
        found = messages.read(tx, subject.id, message_id)
        if found is None:
            raise NotFound("message")
        return _message(found)

    return caller.transact(work)


def _message(message: Message) -> MessageOut:
    fields = asdict(message)
    return MessageOut(content=fields.pop("text"), **fields)
