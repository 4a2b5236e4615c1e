"""Answer a person from the assistant's context, with or without a language model (LT-07, MC-14)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Annotated, Literal
from uuid import UUID

import structlog
from fastapi.sse import ServerSentEvent
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from services.api import Body, UserId
from services.recall.context_schemas import LANGUAGE_MEANS, QUESTION_MAX, Budget, ContextOut, GivenOut, RecallIn
from shared.language.port import Readings
from shared.language.script import Language, language_of
from shared.recall.answering import Answer, Known, Page, answer, cited
from shared.recall.answering.language_model import AnswerFailed, AnsweringModel
from shared.recall.rules.items import Kind


class ChatIn(Body):
    """A person's message to the assistant. This call does not record it; `POST /api/v1/messages` does."""

    user_id: UserId | None = None
    conversation_id: UUID
    message: Annotated[str, Field(min_length=1, max_length=QUESTION_MAX)]
    language: Language | None = Field(default=None, description=LANGUAGE_MEANS)
    token_budget: Budget | None = None

    def question(self) -> RecallIn:
        """Return the recall request for the message."""
        return RecallIn(
            user_id=self.user_id,
            conversation_id=self.conversation_id,
            query=self.message,
            language=self.language,
            token_budget=self.token_budget,
        )


class DeltaOut(Body):
    """`data` of `event: delta`."""

    text: str


class CitedOut(Body):
    id: UUID
    kind: Kind


class DoneOut(Body):
    """`data` of `event: done`."""

    responder: Literal["built_in", "llm"]
    cited: list[CitedOut] = Field(description="The context items that the answer cites.")
    because: Literal["llm_failed"] | None = Field(description="Why no language model completed the answer.")


async def answered(
    message: str, context: ContextOut, model: AnsweringModel | None, readings: Readings
) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of an answer: the context, pieces of the text, and the end.

    The context is what was visible when it was read; anything forgotten while the model writes cannot be recalled
    (decision 12).
    """
    yield ServerSentEvent(event="context", data=context)
    because: Literal["llm_failed"] | None = None
    if model is not None:
        text = ""
        try:
            async for piece in model.answer(context.prompt, message):
                text += piece
                yield _delta(piece)
        except AnswerFailed:
            because = "llm_failed"
            structlog.get_logger().warning("chat.model_failed")
        if text:
            yield _done("llm", _named(context, cited(text, _ids(context))), because)
            return
        because = "llm_failed"  # an empty answer does not count
    said = await run_in_threadpool(built_in, message, context, readings)
    for at, sentence in enumerate(said.sentences):
        yield _delta(("\n" if at else "") + sentence)
    yield _done("built_in", [CitedOut(id=one.id, kind=one.kind) for one in said.cited], because)


def built_in(message: str, context: ContextOut, readings: Readings) -> Answer:
    """Return the built-in responder's answer, in the language of the message."""
    known = [
        Known(
            id=item.id,
            kind=item.kind,
            content=item.content,
            safety=item.reason_code == "safety",
            said=bool(item.provenance.message_ids)
            and item.provenance.origin != "learned"
            and item.type != "tool_experience",
            page=Page(item.provenance.document.page) if item.provenance.document else None,
        )
        for item in (*context.items, *_earlier(message, context.window))
        if item.kind != "trait"  # traits are guesses about a person: no answer states them as facts
    ]
    may_use = "injection_off" not in context.diagnostics.reasons
    return answer(message, known, language_of(message), readings, may_use=may_use)


def _earlier(message: str, window: Sequence[GivenOut]) -> Iterator[GivenOut]:
    """Yield the person's earlier messages, newest first; this message may be recorded already and is skipped."""
    said = [one for one in window if one.type == "user"]
    if said and said[-1].content.strip() == message.strip():
        said.pop()
    yield from reversed(said)


def _ids(context: ContextOut) -> Collection[UUID]:
    return {item.id for item in context.items}


def _named(context: ContextOut, ids: Collection[UUID]) -> list[CitedOut]:
    kinds = {item.id: item.kind for item in context.items}
    return [CitedOut(id=id_, kind=kinds[id_]) for id_ in ids]


def _delta(text: str) -> ServerSentEvent:
    return ServerSentEvent(event="delta", data=DeltaOut(text=text))


def _done(
    responder: Literal["built_in", "llm"], named: list[CitedOut], because: Literal["llm_failed"] | None
) -> ServerSentEvent:
    return ServerSentEvent(event="done", data=DoneOut(responder=responder, cited=named, because=because))
