"""Conversations: open, list, find, change, and end their session (MC-01)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Request, Response

from services.api import Caller, CurrentCaller, IdempotencyKey, UserIdQuery
from services.conversations.schemas import (
    ConversationCreatedOut,
    ConversationOut,
    ConversationPatch,
    ConversationSearchIn,
    FoundConversationOut,
    NewConversation,
    SessionEndedOut,
)
from services.conversations.shortened import around, beginning, near
from services.metadata import ConversationExternalId
from services.pages import Cursor, Limit, item_before, next_link
from services.screening import check_external_id
from shared.conversations.end_session import end_session
from shared.conversations.exclude import change_remembering
from shared.conversations.open import open_conversation
from shared.conversations.rename import rename_conversation
from shared.conversations.sql import conversations
from shared.conversations.sql.conversations import Conversation, FoundTalk
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.language.sensitivity import mask
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["conversations"])

WORDS_MAX = 8
"""Most words of a query that are searched for; a message must contain all of them."""


@router.post("/conversations", status_code=201)
def create_conversation(
    body: NewConversation, caller: CurrentCaller, key: IdempotencyKey = None
) -> ConversationCreatedOut:
    """Open a conversation."""
    user_id = caller.user(body.user_id)
    check_external_id(body.external_id, caller.sensitivity)

    def open_one(tx: Transaction, _: Subject) -> dict[str, Any]:
        opened = open_conversation(
            tx,
            user_id,
            project_id=body.project_id,
            title=body.title,
            external_id=body.external_id,
            remember=body.remember,
            actor=caller.actor,
        )
        return {"id": str(opened)}

    once = caller.once(key, body, route="create_conversation")
    answer = caller.transact_once(once, lambda tx: caller.subject(tx, user_id), open_one)
    return ConversationCreatedOut(**answer)


@router.get("/conversations")
def list_conversations(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    external_id: Annotated[
        ConversationExternalId | None, Query(description="Only the conversation that your program calls this.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[ConversationOut]:
    """List a person's conversations, newest first; the next page is in the Link header."""
    before = item_before(cursor)

    def work(tx: Transaction) -> Sequence[Conversation]:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return []
        return conversations.page(tx, subject.id, before=before, limit=limit, external_id=external_id)

    found = caller.transact(work)
    response.headers.update(next_link(request, [one.id for one in found], limit))
    return [_conversation(caller, one) for one in found]


@router.post("/conversations/search")
def search_conversations(body: ConversationSearchIn, caller: CurrentCaller) -> list[FoundConversationOut]:
    """Find conversations in which one message, or the title, contains every word; newest first."""
    words = body.query.split()[:WORDS_MAX]

    def work(tx: Transaction) -> Sequence[FoundTalk]:
        subject = caller.known_subject(tx, body.user_id)
        return conversations.with_words(tx, subject.id, words, limit=body.limit) if subject and words else []

    return [
        FoundConversationOut(
            **_conversation(caller, one.conversation).model_dump(),
            message_id=one.message_id,
            quote=None if one.text is None else around(mask(near(one.text, words), caller.sensitivity), words),
        )
        for one in caller.transact(work)
    ]


@router.get("/conversations/{conversation_id}")
def get_conversation(
    conversation_id: Annotated[UUID, Path()], caller: CurrentCaller, user_id: UserIdQuery = None
) -> ConversationOut:
    """Return one conversation."""

    def work(tx: Transaction) -> ConversationOut:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        found = conversations.read(tx, subject.id, conversation_id)
        if found is None:
            raise NotFound("conversation")
        return _conversation(caller, found)

    return caller.transact(work)


@router.patch("/conversations/{conversation_id}")
def update_conversation(
    conversation_id: Annotated[UUID, Path()], body: ConversationPatch, caller: CurrentCaller
) -> ConversationOut:
    """Change a conversation's title, or whether new messages are remembered; existing memories remain."""
    wanted = body.model_fields_set

    def work(tx: Transaction) -> ConversationOut:
        subject = caller.owner(tx, "conversation", conversation_id, body.user_id)
        if "remember" in wanted:
            change_remembering(tx, subject, conversation_id, remember=body.remember, actor=caller.actor)
        if "title" in wanted:
            rename_conversation(tx, subject, conversation_id, body.title, actor=caller.actor)
        found = conversations.read(tx, subject.id, conversation_id)
        if found is None:
            raise NotFound("conversation")
        return _conversation(caller, found)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="settings", scope="conversation").inc()
    return answer


@router.post("/conversations/{conversation_id}/session-end")
def end_conversation_session(
    conversation_id: Annotated[UUID, Path()],
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    key: IdempotencyKey = None,
) -> SessionEndedOut:
    """End the current session; unpaired messages are indexed and learned from on their own."""

    def end(tx: Transaction, subject: Subject) -> dict[str, Any]:
        return {"session": end_session(tx, subject, conversation_id, actor=caller.actor)}

    once = caller.once(key, None, route=f"end_session {conversation_id}")
    answer = caller.transact_once(once, lambda tx: caller.owner(tx, "conversation", conversation_id, user_id), end)
    return SessionEndedOut(conversation_id=conversation_id, **answer)


def _conversation(caller: Caller, conversation: Conversation) -> ConversationOut:
    fields = asdict(conversation)
    opening = fields.pop("opening")
    masked = None if opening is None else beginning(mask(opening, caller.sensitivity))
    return ConversationOut(**fields, opening=masked)
