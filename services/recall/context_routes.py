"""Recall for the assistant, and its preview for people."""

from __future__ import annotations

from fastapi import Request, Response

from services.api import Caller, CurrentCaller, UserIdQuery
from services.recall.context import context_for
from services.recall.context_schemas import (
    Asked,
    BudgetQuery,
    ContextOut,
    ConversationQuery,
    InjectionPreviewIn,
    LanguageQuery,
    ProjectQuery,
    RecallIn,
)
from services.recall.debugging import of_context, recorded
from services.recall.routed import Routed, routed
from shared.recall.assemble import Sources
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["recall"])


@router.post("/recall", response_model=ContextOut)
def recall(body: RecallIn, request: Request, caller: CurrentCaller) -> Response:
    """Return the context for an assistant's answer: limited in size, with sources and reasons."""
    return _answer(body, request, caller, route="recall", task=routed(body, request, caller))


@router.post("/memory/injection/preview", response_model=ContextOut)
def preview_injection(body: InjectionPreviewIn, request: Request, caller: CurrentCaller) -> Response:
    """Return exactly the context an assistant would receive for a question; send the question in the body."""
    return _answer(body, request, caller, route="preview_injection")


@router.get("/memory/injection/preview", response_model=ContextOut)
def preview_injection_without_question(
    request: Request,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    conversation_id: ConversationQuery = None,
    project_id: ProjectQuery = None,
    token_budget: BudgetQuery = None,
    language: LanguageQuery = None,
) -> Response:
    """Return the context an assistant would receive before any question."""
    asked = InjectionPreviewIn(
        user_id=user_id,
        conversation_id=conversation_id,
        project_id=project_id,
        token_budget=token_budget,
        language=language,
    )
    return _answer(asked, request, caller, route="preview_injection")


def _answer(
    asked: Asked,
    request: Request,
    caller: Caller,
    *,
    route: str,
    task: Routed | None = None,
) -> Response:
    state = request.app.state
    sources = Sources(database=state.recall_database, stores=state.stores)
    user_id = caller.user(asked.user_id)
    context = context_for(sources, user_id, asked, state.context_defaults, terms=caller.terms, task=task)
    record = recorded(
        caller, user_id, route, of_context(context), task.conversation_id if task else asked.conversation_id
    )
    # Serialised here: FastAPI would validate again, in another thread, what was validated when it was created.
    return Response(context.model_dump_json(), media_type="application/json", background=record)
