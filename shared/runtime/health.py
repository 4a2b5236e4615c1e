"""Health checks of an HTTP process: alive, ready, metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import anyio
import anyio.to_thread
import structlog
from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from shared.runtime import logging, telemetry
from shared.runtime.restore_watch import NotServing

Readiness = Callable[[], dict[str, str]]

READINESS_PARTS: Final = ("database", "broker", "vectors", "ledger")
_NOT_SERVING: Final = frozenset(each.code for each in NotServing.__subclasses__())
_READINESS_WORDS: Final = frozenset({"ok", "starting", "unavailable", "unknown", "damaged"}) | _NOT_SERVING
_READINESS_SECONDS: Final = 3.0


def health_router(readiness: Readiness | None) -> APIRouter:
    """Return the router of `/livez`, `/readyz` and `/metrics`."""
    router = APIRouter(include_in_schema=False)
    # Separate threads, so that a pool full of slow requests does not look like a dead process.
    threads: anyio.CapacityLimiter | None = None

    @router.get("/livez")
    async def livez() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/readyz")
    async def readyz() -> JSONResponse:
        nonlocal threads
        threads = threads or anyio.CapacityLimiter(2)
        parts = dict.fromkeys(READINESS_PARTS, "unknown" if readiness else "ok")
        if readiness is not None:
            with anyio.move_on_after(_READINESS_SECONDS):
                found = await anyio.to_thread.run_sync(_asked(readiness), abandon_on_cancel=True, limiter=threads)
                parts = {part: _fixed_word(found.get(part)) for part in READINESS_PARTS}
        return _readiness_answer(parts)

    @router.get("/metrics")
    def metrics() -> Response:  # in a thread: it takes a tenth of a second, and anybody may ask
        content, media_type = telemetry.exposition()
        return Response(content, headers={"Content-Type": media_type})

    return router


def _asked(readiness: Readiness) -> Readiness:
    def ask() -> dict[str, str]:
        try:
            return readiness()
        except Exception as error:  # noqa: BLE001 - any failure means "not ready"
            structlog.get_logger().warning("readiness.failed", **logging.failure(error))
            return dict.fromkeys(READINESS_PARTS, "unavailable")

    return ask


def _fixed_word(word: str | None) -> str:
    return word if word in _READINESS_WORDS else "unavailable"


def _readiness_answer(parts: dict[str, str]) -> JSONResponse:
    # PostgreSQL is required for every answer; without broker or vectors the API degrades but still forgets.
    # A ledger that says why nothing may be served is an answer of its own.
    if parts["database"] != "ok" or parts["ledger"] in _NOT_SERVING:
        return JSONResponse({"status": "unavailable", "parts": parts}, 503, headers={"Retry-After": "2"})
    degraded = any(word != "ok" for word in parts.values())
    return JSONResponse({"status": "degraded" if degraded else "ready", "parts": parts})
