"""Search (the first of recall's questions)."""

from __future__ import annotations

from fastapi import APIRouter, Request

from services.edge import CurrentCaller
from services.recall.schemas import SearchIn, SearchOut
from services.recall.search import search
from shared.commands.refusals import NotFound
from shared.persistence import people
from shared.persistence.database import Transaction
from shared.persistence.people import Reader

router = APIRouter(prefix="/api/v1/memory", tags=["recall"])


@router.post("/search", name="search_memory")
def search_memory(body: SearchIn, request: Request, caller: CurrentCaller) -> SearchOut:
    """Search what is remembered about a person; the question travels in the body."""
    user_id = caller.user(body.user_id)
    state = request.app.state

    def read(tx: Transaction) -> Reader | None:
        if body.conversation_id is not None and people.owner_of_conversation(tx, body.conversation_id) != user_id:
            raise NotFound("conversation")
        return people.by_user_id(tx, user_id)

    reader = state.recall_database.transact(read)
    return search(state.recall_database, state.stores, reader, body, defaults=caller.defaults)
