"""Differences between the stores and PostgreSQL, and their repair (X-07); for services only."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query, Request, Response

from services.api import USER_ID_MAX, AcceptedOut, Body, CurrentCaller
from services.pages import Cursor, Limit, item_before, next_link
from shared.erasure.reconcile import queue_reconcile
from shared.erasure.reindex import queue_reindex
from shared.erasure.sql import reconciling
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["operations"])

SCOPE = "operations:retry"

Whose = Annotated[
    str | None, Query(min_length=1, max_length=USER_ID_MAX, description="The person concerned; default: everyone.")
]


class CleanupStepOut(Body):
    name: Literal["postgres", "milvus", "mem0"]
    status: Literal["waiting", "ready", "running", "succeeded", "failed", "cancelled"]
    attempts: int
    counts: dict[str, int]
    last_error: str | None


class CleanupOut(Body):
    """A cleanup, without the person it belongs to."""

    id: UUID
    type: Literal["cleanup_reconcile", "cleanup_orphans", "cleanup_losses", "cleanup_purge", "cleanup_reindex"]
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    progress: float
    last_error: str | None
    found_by: UUID | None
    version: int
    created_at: datetime
    updated_at: datetime
    steps: list[CleanupStepOut]


@router.get("/cleanups")
def list_cleanups(
    request: Request, response: Response, caller: CurrentCaller, limit: Limit = 20, cursor: Cursor = None
) -> list[CleanupOut]:
    """Return all cleanups, of the installation and of every person, newest first."""
    caller.needs(SCOPE)
    before = item_before(cursor)
    found = caller.transact(lambda tx: reconciling.page(tx, before=before, limit=limit))
    response.headers.update(next_link(request, [one.id for one in found], limit))
    return [CleanupOut(**asdict(one)) for one in found]


@router.post("/reconcile", status_code=202)
def reconcile(response: Response, caller: CurrentCaller) -> AcceptedOut:
    """Compare all stores with PostgreSQL; if a comparison is running, return it."""
    caller.needs(SCOPE)
    op_id = caller.transact(queue_reconcile)
    response.headers.update({"Location": f"/api/v1/memory/ops/{op_id}", "Retry-After": "1"})
    return AcceptedOut(op_id=op_id, receipt_id=None)


@router.post("/reindex", status_code=202)
def reindex(response: Response, caller: CurrentCaller, user_id: Whose = None) -> AcceptedOut:
    """Rebuild the vector and word index from PostgreSQL, for one person or everyone, without downtime."""
    caller.needs(SCOPE)
    whose = None if user_id is None else caller.user(user_id)
    op_id = caller.transact(lambda tx: queue_reindex(tx, whose))
    response.headers.update({"Location": f"/api/v1/memory/ops/{op_id}", "Retry-After": "1"})
    return AcceptedOut(op_id=op_id, receipt_id=None)
