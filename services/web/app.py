"""This service as a separate process."""

from __future__ import annotations

from fastapi import FastAPI

from services.web import BODY_LIMITS, ROUTERS
from shared.runtime.settings import Settings
from shared.runtime.web import create_app


def app(settings: Settings) -> FastAPI:
    """Return the service's application; it needs no store."""
    return create_app(title="Memory Center · web", settings=settings, routers=ROUTERS, body_limits=BODY_LIMITS)
