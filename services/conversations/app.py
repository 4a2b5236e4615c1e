"""This service's API as a separate process."""

from __future__ import annotations

from fastapi import FastAPI

from services.assembly import plain_app
from services.conversations import BODY_LIMITS, ROUTERS
from shared.runtime.settings import Settings


def app(settings: Settings) -> FastAPI:
    """Return the service's application."""
    return plain_app(settings, "conversations", routers=ROUTERS, body_limits=BODY_LIMITS)
