"""The summary and episodes of a conversation (MC-18)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from fastapi import Query, Request, Response

from services.api import CurrentCaller, UserIdQuery
from services.episode_views import EpisodeOut, episode_out
from services.memory_center.schemas import SummaryOut
from services.pages import Cursor, Limit, item_before, next_link
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.memories.queries import remembered
from shared.memories.queries.remembered import SummaryShown
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["memories"])

ConversationId = Annotated[UUID, Query()]


@router.get("/summary")
def get_summary(conversation_id: ConversationId, caller: CurrentCaller, user_id: UserIdQuery = None) -> SummaryOut:
    """Return a conversation's rolling summary; empty if there is none or summaries are off."""

    def work(tx: Transaction) -> SummaryOut:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        found = remembered.summary_of(tx, subject.id, conversation_id, terms=caller.terms)
        if found is None:
            raise NotFound("conversation")
        return _summary(found)

    return caller.transact(work)


@router.get("/episodes")
def list_episodes(
    request: Request,
    response: Response,
    conversation_id: ConversationId,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[EpisodeOut]:
    """Return a conversation's episodes, newest first, with both sides of each turn and secrets masked."""
    before = item_before(cursor)

    def work(tx: Transaction) -> list[EpisodeOut]:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        found = remembered.episodes_of(tx, subject.id, conversation_id, before=before, limit=limit)
        if found is None:
            raise NotFound("conversation")
        response.headers.update(next_link(request, [one.id for one in found], limit))
        return [episode_out(one, caller) for one in found]

    return caller.transact(work)


def _summary(found: SummaryShown) -> SummaryOut:
    if found.summary is None:
        return SummaryOut(status=found.status)
    return SummaryOut(status=found.status, **asdict(found.summary))
