"""Counts and logs HTTP requests by route template: no ids, no text, no URLs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import structlog
from fastapi import FastAPI
from prometheus_fastapi_instrumentator import Instrumentator
from prometheus_fastapi_instrumentator.metrics import Info

from shared.runtime.telemetry import HTTP_REQUEST_SECONDS, HTTP_REQUESTS

_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_QUIET_ROUTES: Final = frozenset({"/livez", "/readyz", "/metrics"})


def instrument(app: FastAPI) -> None:
    """Count and log every request of `app` by its route template."""
    Instrumentator(should_group_status_codes=False, should_group_untemplated=True).add(_observe_request).instrument(app)


def _observe_request(info: Info) -> None:
    # A client may invent a method; a request without a route has the route "none". Neither may become a label or log
    # text.
    # A method that a route refuses is none of its own: it would add a series for each route.
    refused = info.modified_status == str(HTTPStatus.METHOD_NOT_ALLOWED.value)
    method = info.method if info.method in _METHODS and not refused else "OTHER"
    route = info.modified_handler
    HTTP_REQUESTS.labels(method, route, info.modified_status).inc()
    answer_seconds = info.modified_duration_without_streaming or info.modified_duration
    HTTP_REQUEST_SECONDS.labels(method, route).observe(answer_seconds)
    log = structlog.get_logger()
    (log.debug if route in _QUIET_ROUTES else log.info)(
        "http.request",
        method=method,
        route=route,
        status=int(info.modified_status),
        duration_ms=round(info.modified_duration * 1000, 1),
        **_problem_code(info),
    )


def _problem_code(info: Info) -> dict[str, str]:
    code = info.request.scope.get("state", {}).get("problem_code")
    return {"code": code} if code else {}
