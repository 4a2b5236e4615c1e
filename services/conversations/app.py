"""This service's API as a separate process."""

from __future__ import annotations

from fastapi import FastAPI

from services.aliases import ALIASES
from services.assembly import OPENAPI, Readiness, guard, opened
from services.conversations import BODY_LIMITS, ROUTERS
from services.problems import PROBLEMS
from shared.runtime.rates import Rates
from shared.runtime.settings import Settings
from shared.runtime.web import create_app

TITLE = "Memory Center · conversations"


def app(settings: Settings) -> FastAPI:
    """Return the service's application."""
    readiness = Readiness(settings)
    return create_app(
        title=TITLE,
        settings=settings,
        routers=ROUTERS,
        document=OPENAPI,
        aliases=ALIASES,
        problems=PROBLEMS,
        body_limits=BODY_LIMITS,
        guard=guard,
        rates=Rates(settings),
        lifespan=opened(settings, application="memory-center conversations", readiness=readiness),
        readiness=readiness,
    )
