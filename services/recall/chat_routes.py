"""Chat with an assistant that remembers, for the web app; it records no messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import BackgroundTasks, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from services.api import CurrentCaller
from services.recall.chat import ChatIn, answered
from services.recall.context import context_for
from services.recall.context_schemas import ContextOut
from services.recall.debugging import keeping, of_context
from services.recall.routed import hint_in_chat
from shared.language.port import Readings
from shared.recall.answering.language_model import AnsweringModel
from shared.recall.assemble import Sources
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/chat", tags=["recall"])


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message to answer, and its context."""

    message: str
    context: ContextOut
    model: AnsweringModel | None
    readings: Readings


def prepare(body: ChatIn, request: Request, caller: CurrentCaller, later: BackgroundTasks) -> Prepared:
    """Return the context of a message. It is read before the response starts, so that errors can be reported.

    Raises:
        NotFound: the conversation belongs to another person, or was forgotten.
    """
    state = request.app.state
    sources = Sources(database=state.recall_database, stores=state.stores)
    user_id = caller.user(body.user_id)
    context = context_for(sources, user_id, body.question(), state.context_defaults, terms=caller.terms)
    later.add_task(keeping(caller, user_id, "chat", of_context(context), body.conversation_id))
    if hint := hint_in_chat(body.user_id, request, caller):
        context = context.model_copy(update={"hint": hint})
    return Prepared(body.message, context, state.answering_model, state.readings)


@router.post("/completions", response_class=EventSourceResponse)
async def chat(prepared: Annotated[Prepared, Depends(prepare)]) -> AsyncIterator[ServerSentEvent]:
    """Answer a message with the configured language model, or else from memory alone; no message is recorded.

    `event: context` has the response of recall; `event: delta` pieces of the answer as `{"text"}`; `event: done`
    `{"responder", "cited", "because"}`.
    """
    async for event in answered(prepared.message, prepared.context, prepared.model, prepared.readings):
        yield event
