"""Intake: conversations, messages, feedback, clear, and the debug record of a request (MC-01)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Query, Request, Response

from services.api import AcceptedOut, Caller, CurrentCaller, IdempotencyKey, UndoSecondsQuery, UserIdQuery, request_id
from services.conversations.schemas import (
    ClearIn,
    ConversationCreatedOut,
    ConversationOut,
    ConversationPatch,
    ConversationSearchIn,
    FeedbackIn,
    FeedbackOut,
    FoundConversationOut,
    MessageOut,
    MessagesIn,
    MessagesRecordedOut,
    NewConversation,
    SessionEndedOut,
    TraceOut,
)
from services.conversations.shortened import around, beginning, near
from services.pages import Cursor, Limit, item_before, next_link
from shared.conversations.exclude import change_remembering
from shared.conversations.open import open_conversation
from shared.conversations.record import Draft, end_session, record_messages
from shared.conversations.rename import rename_conversation
from shared.conversations.sql import conversations, messages
from shared.conversations.sql.conversations import Conversation, FoundTalk
from shared.conversations.sql.messages import Message
from shared.drift.observe import Observed, observe_feedback
from shared.erasure.forget import ForgetRequest, clear_conversation, forget_conversation
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.language.sensitivity import mask
from shared.preferences.give_feedback import Feedback, give_feedback
from shared.recall.sql import traces
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["conversations"])

WORDS_MAX = 8
"""Most words of a query that are searched for; a message must contain all of them."""

BODY_LIMITS: Final = {"/api/v1/messages": None, "/api/v1/feedback": 150_000}
"""A hundred messages of up to 32,000 characters each: limited by the operator's setting only."""


@router.post("/conversations", status_code=201)
def create_conversation(
    body: NewConversation, caller: CurrentCaller, key: IdempotencyKey = None
) -> ConversationCreatedOut:
    """Open a conversation."""
    user_id = caller.user(body.user_id)

    def open_one(tx: Transaction, _: Subject) -> dict[str, Any]:
        opened = open_conversation(
            tx, user_id, project_id=body.project_id, title=body.title, remember=body.remember, actor=caller.actor
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
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[ConversationOut]:
    """List a person's conversations, newest first; the next page is in the Link header."""
    before = item_before(cursor)

    def work(tx: Transaction) -> Sequence[Conversation]:
        subject = caller.known_subject(tx, user_id)
        return conversations.page(tx, subject.id, before=before, limit=limit) if subject else []

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

    def forget(tx: Transaction, subject: Subject) -> dict[str, Any]:
        wanted_forget = ForgetRequest(actor=caller.actor, undo_seconds=caller.undo(undo_seconds))
        forget_conversation(tx, subject, conversation_id, wanted_forget)
        return {"op_id": str(wanted_forget.operation_id), "receipt_id": str(wanted_forget.receipt_id)}

    once = caller.once(key, None, route=f"delete_conversation {conversation_id} {undo_seconds}")
    answer = caller.transact_once(once, lambda tx: caller.owner(tx, "conversation", conversation_id, user_id), forget)
    accepted = AcceptedOut(**answer)
    telemetry.MEMORY_OP.labels(op="forget", scope="conversation").inc()
    response.headers.update(_where_to_look(accepted))
    return accepted


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


@router.post("/feedback", status_code=201)
def post_feedback(body: FeedbackIn, caller: CurrentCaller, key: IdempotencyKey = None) -> FeedbackOut:
    """Store a person's feedback on an answer; an action with evidence is also used to learn preferences."""
    user_id = caller.user(body.user_id)
    given = Feedback(
        **body.model_dump(exclude={"user_id", "reason"}),
        **caller.reason(body.reason),
        learnable=caller.learnable(body.evidence_ref),
    )
    outcomes: list[str] = []
    drifts: list[Observed] = []

    def give(tx: Transaction, subject: Subject) -> dict[str, Any]:
        kept = give_feedback(tx, user_id, given, terms=caller.terms, actor=caller.actor)
        outcomes[:] = [kept.learned.outcome] if kept.learned else []
        drifts[:] = observe_feedback(
            tx,
            subjects.again(tx, subject),
            kept.feedback_id,
            body.related_object_ref,
            policy=caller.retention.drift_policy,
            terms=caller.terms,
        )
        trace = {"route": "post_feedback", "actor": caller.actor, "feedback": str(kept.feedback_id)}
        traces.add(tx, subject, request_id(), trace, conversation_id=body.conversation_id)
        return {"id": str(kept.feedback_id)}

    once = caller.once(key, body, route="post_feedback")
    answer = FeedbackOut(**caller.transact_once(once, lambda tx: caller.subject(tx, user_id), give))
    telemetry.drift_observed(drifts)
    for outcome in outcomes:
        telemetry.PREFERENCE_SIGNALS.labels(outcome=outcome).inc()
    return answer


@router.post("/clear", status_code=202)
def clear(body: ClearIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> AcceptedOut:
    """Forget the messages of a conversation so far; the conversation itself remains."""

    def owner(tx: Transaction) -> Subject:
        return caller.owner(tx, "conversation", body.conversation_id, body.user_id)

    def accept(tx: Transaction, subject: Subject) -> dict[str, Any]:
        wanted_forget = ForgetRequest(actor=caller.actor, undo_seconds=caller.undo(body.undo_seconds))
        clear_conversation(tx, subject, body.conversation_id, wanted_forget)
        trace = {"route": "clear", "actor": caller.actor, "operation": str(wanted_forget.operation_id)}
        traces.add(tx, subject, request_id(), trace)
        return {"op_id": str(wanted_forget.operation_id), "receipt_id": str(wanted_forget.receipt_id)}

    accepted = AcceptedOut(**caller.transact_once(caller.once(key, body, route="clear"), owner, accept))
    telemetry.MEMORY_OP.labels(op="forget", scope="clear").inc()
    response.headers.update(_where_to_look(accepted))
    return accepted


@router.get("/debug/{debug_id}")
def get_debug_record(debug_id: Annotated[str, Path(max_length=64)], caller: CurrentCaller) -> TraceOut:
    """Return a record of a request, in ids and numbers; for services allowed to debug, for a limited time."""
    caller.needs("debug:read")
    found = caller.transact(lambda tx: traces.read(tx, debug_id))
    if found is None:
        raise NotFound("debug record")
    return TraceOut(**asdict(found))


def _conversation(caller: Caller, conversation: Conversation) -> ConversationOut:
    fields = asdict(conversation)
    opening = fields.pop("opening")
    masked = None if opening is None else beginning(mask(opening, caller.sensitivity))
    return ConversationOut(**fields, opening=masked)


def _message(message: Message) -> MessageOut:
    fields = asdict(message)
    return MessageOut(content=fields.pop("text"), **fields)


def _where_to_look(accepted: AcceptedOut) -> dict[str, str]:
    return {"Location": f"/api/v1/memory/ops/{accepted.op_id}", "Retry-After": "1"}
