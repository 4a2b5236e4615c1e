"""Find what to forget; the memory center forgets it (X-06)."""

from __future__ import annotations

import threading
from datetime import datetime
from zoneinfo import ZoneInfo

from fastapi import Request, Response

from services.api import CurrentCaller
from services.recall.finding import find_to_forget
from services.recall.finding_schemas import FindIn, FoundToForgetOut
from shared.kernel import readers
from shared.language.descriptions import Description
from shared.runtime.describing import Patience
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory/forget", tags=["forgetting"])


@router.post("/find", name="find_to_forget", response_model=FoundToForgetOut)
async def find(body: FindIn, request: Request, caller: CurrentCaller) -> Response:
    """Find a person's messages and memories that match a description, with reasons; nothing is changed.

    One request at a time for each person, for at most 2 seconds of processor time, while the client waits.
    """
    user_id = caller.user(body.user_id)
    state = request.app.state

    def work(stop: threading.Event) -> str:
        reader, database = readers.find(state.recall_database, user_id)
        found = find_to_forget(
            database,
            state.stores,
            state.readings,
            state.selections,
            reader,
            Description(body.description, datetime.now(ZoneInfo(body.time_zone or "UTC"))),
            Patience(stop),
            project_id=body.project_id,
            limit=body.limit,
        )
        return found.model_dump_json()  # here, not on the event loop: it may be long

    return Response(await state.describing.run(request, user_id, work), media_type="application/json")
