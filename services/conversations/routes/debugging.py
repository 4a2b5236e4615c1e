"""The debug record of a request, for services (MC-01)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Path

from services.api import CurrentCaller
from services.conversations.schemas import TraceOut
from shared.kernel.errors import NotFound
from shared.recall.sql import traces
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["conversations"])


@router.get("/debug/{debug_id}")
def get_debug_record(debug_id: Annotated[str, Path(max_length=64)], caller: CurrentCaller) -> TraceOut:
    """Return a record of a request, in ids and numbers; for services allowed to debug, for a limited time."""
    caller.needs("debug:read")
    found = caller.transact(lambda tx: traces.read(tx, debug_id))
    if found is None:
        raise NotFound("debug record")
    return TraceOut(**asdict(found))
