"""What is remembered: summary, episodes, long-term memories (MC-18)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response

from services.edge import CurrentCaller, Cursor, Limit, UserIdQuery, item_before, next_link
from services.memory_center.schemas import EpisodeOut, MemoryOut, ProvenanceOut, SourceOut, SummaryOut
from shared.commands.refusals import NotFound
from shared.persistence.database import Transaction
from shared.persistence.memories import MemoryFilter
from shared.queries import remembered
from shared.queries.remembered import Remembered

router = APIRouter(prefix="/api/v1/memory", tags=["memories"])

ConversationId = Annotated[UUID, Query()]


@router.get("/summary")
def get_summary(conversation_id: ConversationId, caller: CurrentCaller, user_id: UserIdQuery = None) -> SummaryOut:
    """Return a conversation's rolling summary; empty while there is none."""

    def work(tx: Transaction) -> SummaryOut:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        found = remembered.summary_of(tx, subject.id, conversation_id)
        if found is None:
            raise NotFound("conversation")
        return SummaryOut(**asdict(found))

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
    """Return a conversation's episodes, newest first, with both sides of each turn filled in."""
    before = item_before(cursor)

    def work(tx: Transaction) -> list[EpisodeOut]:
        subject = caller.owner(tx, "conversation", conversation_id, user_id)
        found = remembered.episodes_of(tx, subject.id, conversation_id, before=before, limit=limit)
        if found is None:
            raise NotFound("conversation")
        response.headers.update(next_link(request, [one.id for one in found], limit))
        return [EpisodeOut(**{k: v for k, v in asdict(one).items() if k != "conversation_id"}) for one in found]

    return caller.transact(work)


@router.get("/long_term")
def list_long_term(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    content_type: Annotated[str | None, Query(max_length=40, pattern=r"^[a-z_]+$")] = None,
    scope: Annotated[str | None, Query(pattern=r"^(global|project)$")] = None,
    project_id: Annotated[str | None, Query(max_length=100)] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[MemoryOut]:
    """Return a person's long-term memories, newest first, each with where it came from."""
    before = item_before(cursor)

    wanted = MemoryFilter(content_type=content_type, scope=scope, project_id=project_id)

    def work(tx: Transaction) -> list[MemoryOut]:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return []
        found = remembered.memories_of(tx, subject.id, wanted, before=before, limit=limit)
        response.headers.update(next_link(request, [one.memory.id for one in found], limit))
        return [_memory(one) for one in found]

    return caller.transact(work)


@router.get("/long_term/{memory_id}")
def get_long_term(memory_id: Annotated[UUID, Path()], caller: CurrentCaller, user_id: UserIdQuery = None) -> MemoryOut:
    """Return one long-term memory with where it came from."""

    def work(tx: Transaction) -> MemoryOut:
        subject = caller.owner(tx, "memory", memory_id, user_id)
        found = remembered.one_memory(tx, subject.id, memory_id)
        if found is None:
            raise NotFound("memory")
        return _memory(found)

    return caller.transact(work)


def _memory(found: Remembered) -> MemoryOut:
    memory = found.memory
    return MemoryOut(
        id=memory.id,
        content=memory.text,
        content_type=memory.content_type,
        scope=memory.scope,
        project_id=memory.project_id,
        origin=memory.origin,
        importance=memory.importance,
        taboo=memory.taboo,
        disabled=memory.disabled,
        confirmed=memory.confirmed,
        validity="superseded" if memory.superseded else "active",
        supersedes_id=memory.supersedes,
        task_hint=memory.task_hint,
        version=memory.version,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        provenance=_provenance(found),
        sources=[SourceOut(**asdict(source)) for source in found.sources],
    )


def _provenance(found: Remembered) -> ProvenanceOut | None:
    if not found.sources:
        return None
    first = found.sources[0]
    return ProvenanceOut(
        source_type="model" if first.role == "assistant" else first.role,
        session_id=first.conversation_id,
        turn_index=first.turn,
        message_id=first.message_id,
        quote_start=first.quote_start,
        quote_end=first.quote_end,
    )
