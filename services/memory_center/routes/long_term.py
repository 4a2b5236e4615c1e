"""Long-term memories: list and read (MC-05, CN-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Request, Response

from services.api import Caller, CurrentCaller, UserIdQuery
from services.memory_center.filters import CurrentFilter
from services.memory_center.memory_schemas import PICKED_MAX, MemoryIdsOut, MemoryOut, Moment
from services.memory_center.memory_views import etag, memory_out, read_memory
from services.pages import Cursor, Limit, item_before, next_link, ranked_before
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.ids import MemoryId
from shared.kernel.subjects import Subject
from shared.memories.queries import remembered
from shared.memories.sql import listing
from shared.memories.sql.listing import Order, Place
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["memories"])


@router.get("/long_term")
def list_long_term(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    filtered: CurrentFilter,
    user_id: UserIdQuery = None,
    message_id: Annotated[UUID | None, Query(description="Only memories learned from this message.")] = None,
    conversation_id: Annotated[UUID | None, Query(description="Only memories learned from this conversation.")] = None,
    created_after: Annotated[Moment | None, Query()] = None,
    created_before: Annotated[Moment | None, Query()] = None,
    sort: Annotated[Order, Query(description="Memories of equal importance are sorted newest first.")] = "newest",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[MemoryOut]:
    """Return a person's long-term memories, each with its sources.

    `created_after` is inclusive, `created_before` exclusive. A cursor is valid only for its own sort order.
    """
    after = _place(cursor, sort)
    bounds: dict[str, Any] = {
        "message_id": message_id,
        "conversation_id": conversation_id,
        "created_after": created_after,
        "created_before": created_before,
    }

    def work(tx: Transaction) -> list[MemoryOut]:
        subject = _whose(tx, caller, user_id, {"message": message_id, "conversation": conversation_id})
        wanted = filtered.of(tx, subject) if subject else None
        if subject is None or wanted is None:
            return []
        found = remembered.memories_of(tx, subject.id, replace(wanted, **bounds), after=after, limit=limit, order=sort)
        rank = found[-1].memory.importance if found and sort == "importance" else None
        response.headers.update(next_link(request, [one.memory.id for one in found], limit, rank=rank))
        return [memory_out(one.memory, one.sources) for one in found]

    return caller.transact(work)


@router.get("/long_term/ids")
def list_long_term_ids(caller: CurrentCaller, filtered: CurrentFilter, user_id: UserIdQuery = None) -> MemoryIdsOut:
    """Return the ids of a person's memories, newest first, to select all of them; at most 2,000."""

    def work(tx: Transaction) -> list[MemoryId]:
        subject = caller.known_subject(tx, user_id)
        wanted = filtered.of(tx, subject) if subject else None
        if subject is None or wanted is None:
            return []
        return listing.ids_of(tx, subject.id, wanted, limit=PICKED_MAX + 1)

    found: list[UUID] = list(caller.transact(work))
    return MemoryIdsOut(ids=found[:PICKED_MAX], more=len(found) > PICKED_MAX)


@router.get("/long_term/{memory_id}")
def get_long_term(
    memory_id: Annotated[UUID, Path()], response: Response, caller: CurrentCaller, user_id: UserIdQuery = None
) -> MemoryOut:
    """Return one long-term memory with its sources; its ETag is its version."""
    answer = caller.transact(lambda tx: read_memory(tx, caller, memory_id, user_id))
    response.headers.update(etag(answer))
    return answer


def _place(cursor: str | None, order: Order) -> Place | None:
    if order == "importance":
        ranked = ranked_before(cursor)
        return Place(id=ranked[0], importance=ranked[1]) if ranked else None
    item = item_before(cursor)
    return Place(id=item) if item else None


def _whose(tx: Transaction, caller: Caller, user_id: str | None, named: Mapping[str, UUID | None]) -> Subject | None:
    """Return the subject whose memories are listed; all items named must belong to the same one.

    Raises:
        NotFound: an item does not exist, or belongs to another person.
    """
    owners = [caller.owner(tx, kind, id_, user_id) for kind, id_ in named.items() if id_ is not None]
    if not owners:
        return caller.known_subject(tx, user_id)
    if len({one.id for one in owners}) > 1:
        raise NotFound("memory")
    return owners[0]
