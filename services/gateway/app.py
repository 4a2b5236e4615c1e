"""The three APIs and the web app in one process, for one machine."""

from __future__ import annotations

from fastapi import FastAPI

from services import conversations, memory_center, recall, web
from services.assembly import service_app
from services.recall.app import Searching
from shared.runtime.settings import Settings

DESCRIPTION = """See, control and provably erase what an AI assistant remembers.

Every error is `application/problem+json` with a stable `code`. A person's token acts for that person; a service key
names the person with `user_id`. Another person's ids are answered with 404.

You may write fields and parameters in camel case; the response then uses it too. `/memory/…` and `/api/…` are aliases
of `/api/v1/memory/…` and `/api/v1/…`; docs/aliases.md lists all aliases."""


def app(settings: Settings) -> FastAPI:
    """Return the gateway's application."""
    searching = Searching(settings)
    return service_app(
        settings,
        title="Memory Center",
        description=DESCRIPTION,
        routers=[*conversations.ROUTERS, *memory_center.ROUTERS, *recall.ROUTERS, *web.ROUTERS],
        body_limits={**conversations.BODY_LIMITS, **memory_center.BODY_LIMITS, **recall.BODY_LIMITS, **web.BODY_LIMITS},
        lifespan=searching.lifespan,
        readiness=searching.readiness,
    )
