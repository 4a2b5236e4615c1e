"""Find what is to be forgotten; memory_center forgets it (X-06)."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request

from services.edge import CurrentCaller
from services.recall.finding import find_to_forget
from services.recall.finding_schemas import FindIn, FoundToForgetOut
from shared.persistence import people

router = APIRouter(prefix="/api/v1/memory/forget", tags=["forgetting"])


@router.post("/find", name="find_to_forget")
def find(body: FindIn, request: Request, caller: CurrentCaller) -> FoundToForgetOut:
    """Return what a description means among a person's messages and memories, with reasons; nothing is changed."""
    user_id = caller.user(body.user_id)
    state = request.app.state
    reader = state.recall_database.transact(lambda tx: people.by_user_id(tx, user_id))
    return find_to_forget(
        state.recall_database,
        state.selections,
        reader,
        body.description,
        now=datetime.now(UTC),
        project_id=body.project_id,
        limit=body.limit,
    )
