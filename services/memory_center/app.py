"""The API of this service as a process of its own."""

from __future__ import annotations

from fastapi import FastAPI

from services.assembly import OPENAPI, Readiness, opened, refuse_restored
from services.edge import PROBLEMS
from services.memory_center import LARGER_BODIES, ROUTERS
from shared.runtime.settings import Settings
from shared.runtime.web import create_app

TITLE = "Memory Center · memory center"


def app(settings: Settings) -> FastAPI:
    """Return the service's application."""
    return create_app(
        title=TITLE,
        settings=settings,
        routers=ROUTERS,
        document=OPENAPI,
        problems=PROBLEMS,
        larger_bodies=LARGER_BODIES,
        guard=refuse_restored,
        lifespan=opened(settings, application="memory-center memory-center"),
        readiness=Readiness(settings),
    )
