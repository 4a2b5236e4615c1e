"""The debug record of a question: items given and reasons, as ids and numbers (MC-01). Written after the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

import structlog
from starlette.background import BackgroundTask

from services.api import Caller, request_id
from services.episode_views import EpisodeOut
from services.recall.context_schemas import ContextOut
from services.recall.schemas import SearchOut
from shared.conversations.sql import conversations
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.memories.sql.archiving import note_used
from shared.recall.sql import traces
from shared.runtime.logging import failure
from shared.traits.sql.recalls import note_recalled

GIVES: Final = ("recall", "chat")
"""The routes that give traits to an assistant; a preview shows them to the person only."""


def of_context(context: ContextOut) -> dict[str, Any]:
    """Return the debug record of a context: the items given with reasons, and how many were left out."""
    return {
        "mode": context.mode,
        "reasons": context.diagnostics.reasons,
        "given": [
            {
                "id": part.id,
                "kind": part.kind,
                "layer": part.layer,
                "reason_code": part.reason_code,
                "score": part.score and part.score.total,
                "tokens": part.tokens,
            }
            for part in context.items
        ],
        "window": [part.id for part in context.window],
        "left_out": Counter(part.reason_code for part in context.left_out),
        "tokens": context.tokens.model_dump(),
        **({"context_trace": context.context_trace.model_dump()} if context.context_trace else {}),
    }


def of_search(found: SearchOut) -> dict[str, Any]:
    """Return the debug record of a search: the items found, in order."""
    return {
        "mode": found.mode,
        "reasons": found.diagnostics.reasons,
        "found": [{"id": one.id, "kind": one.kind, "score": one.score} for one in found.items],
    }


def of_episodes(found: Sequence[EpisodeOut]) -> dict[str, Any]:
    """Return the debug record of an episode search: the items found, in order."""
    return {"found": [{"id": one.id, "kind": "episode", "score": one.similarity} for one in found]}


def recorded(
    caller: Caller, user_id: str, route: str, data: dict[str, Any], conversation_id: UUID | None
) -> BackgroundTask:
    """Return the task that stores a question's record after the answer; the answer does not depend on it."""
    return BackgroundTask(keeping(caller, user_id, route, data, conversation_id))


def keeping(
    caller: Caller, user_id: str, route: str, data: dict[str, Any], conversation_id: UUID | None
) -> Callable[[], None]:
    """Return what stores a question's record; it never raises."""
    given = data.get("given", ()) if route in GIVES else ()
    told, used = ([UUID(str(one["id"])) for one in given if one["kind"] == kind] for kind in ("trait", "memory"))
    trace = {"route": route, "actor": caller.actor, **data}
    asked = request_id()

    def write(tx: Transaction) -> None:
        subject = subjects.find(tx, user_id)
        if subject is None:
            return  # nothing was ever stored for this person, and a question stores nothing either
        subject = subjects.entered(tx, subject)
        if caller.terms.permitted.reinforcement:
            note_recalled(tx, told)
        if used:
            note_used(tx, subject, used)
        if conversation_id is None or conversations.is_visible(tx, subject.id, conversation_id):
            traces.add(tx, subject, asked, trace, conversation_id=conversation_id)

    def keep() -> None:
        try:
            caller.transact(write)
        except Exception as error:  # noqa: BLE001 # the question is answered already
            structlog.get_logger().warning("recall.record_failed", **failure(error))

    return keep
