"""One way to make and run an HTTP process, so that every API authenticates, fails and logs alike."""

from __future__ import annotations

import functools
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated, Final

import anyio
import anyio.to_thread
import structlog
import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Request, Response, Security
from fastapi.responses import FileResponse, JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import ASGIApp

from shared.runtime import logging, openapi, request_metrics, telemetry
from shared.runtime import problems as _problems
from shared.runtime.authentication import Authenticator, Principal
from shared.runtime.middleware import BodyLimit, RequestContext, UnhandledErrors
from shared.runtime.readiness import announce_ready
from shared.runtime.session_cookie import credentials_of
from shared.runtime.settings import Settings
from shared.runtime.storable_text import refuse_unstorable_text

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]
Readiness = Callable[[], dict[str, str]]

READINESS_PARTS: Final = ("database", "broker", "vectors")
_READINESS_WORDS: Final = frozenset({"ok", "starting", "unavailable", "unknown"})
_READINESS_SECONDS: Final = 3.0
# Every open event stream holds one connection, so this is well above the 40 threads that serve routes.
_CONNECTIONS_MAX: Final = 512
_SHUTDOWN_SECONDS: Final = 5
_START_FAILED: Final = 3

_bearer = HTTPBearer(
    scheme_name="bearer",
    bearerFormat="JWT, or the service key",
    description="A person's token (`memory-center token`), or the key of a service.",
    auto_error=False,
)


async def current_principal(
    request: Request, _documented: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]
) -> Principal:
    """Return who is calling; a dependency for routes: `principal: CurrentPrincipal`.

    Raises:
        Unauthenticated: answered 401 with `WWW-Authenticate: Bearer`.
    """
    principal: Principal = request.app.state.authenticate(request)
    return principal


CurrentPrincipal = Annotated[Principal, Depends(current_principal)]


def create_app(
    *,
    title: str,
    settings: Settings,
    routers: Sequence[APIRouter],
    problems: Mapping[type[Exception], _problems.ProblemKind] | None = None,
    lifespan: Lifespan | None = None,
    readiness: Readiness | None = None,
    guard: Callable[[Request], None] | None = None,
    larger_bodies: Mapping[str, int] | None = None,
    version: str = "1",
    description: str = "",
    document: Path | None = None,
) -> FastAPI:
    """Return an app whose every answer follows the API conventions.

    Args:
        title: shown in the OpenAPI document.
        settings: keys and limits of this process.
        routers: with full paths (`/api/v1/…`).
        problems: how the domain errors these routers raise are answered.
        lifespan: opens what the routes need and closes it.
        readiness: returns `ok`, `starting` or `unavailable` for each of `READINESS_PARTS`; runs in a thread.
        guard: refuses every request to the routers by raising, health aside; must not wait.
        larger_bodies: bytes a body may have, by path prefix, where `settings.max_body_bytes` is too little.
        version: of the API.
        description: shown in the OpenAPI document.
        document: the OpenAPI document of these routers, written beforehand; without it, it is built when first read.
    """
    app = FastAPI(
        title=title,
        version=version,
        description=description,
        servers=[{"url": "/"}],
        dependencies=[Depends(refuse_unstorable_text)],
        lifespan=functools.partial(_lifespan, inner=lifespan),
        generate_unique_id_function=openapi.operation_id,
        redirect_slashes=False,  # a redirect repeats the path, and metrics would count it untemplated
        openapi_url=None,  # `_document` serves it: FastAPI's own route writes it again for each request
        docs_url=None,
        redoc_url=None,
        # Its spans carry URLs and its log records the texts of exceptions.
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
    )
    authenticator = Authenticator(settings.signing_key.get_secret_value(), settings.service_key.get_secret_value())
    app.state.authenticator = authenticator
    app.state.authenticate = lambda request: authenticator.authenticate(credentials_of(request))
    guarded = [Depends(_without_waiting(guard))] if guard is not None else []
    for router in routers:
        app.include_router(router, dependencies=guarded)
    app.include_router(_health(readiness))
    app.include_router(_document(app, document))
    app.openapi = functools.partial(openapi.document, app, document)  # type: ignore[method-assign]  # FastAPI's way
    answer = _problems.install(app, problems or {})
    # The last one added is the first a request passes.
    app.add_middleware(BodyLimit, limit=settings.max_body_bytes, larger=larger_bodies or {})
    app.add_middleware(UnhandledErrors, answer=answer)
    request_metrics.instrument(app)
    app.add_middleware(RequestContext)
    return app


def _without_waiting(guard: Callable[[Request], None]) -> Callable[[Request], Awaitable[None]]:
    async def ask(request: Request) -> None:  # async: a sync dependency would take a thread for every request
        guard(request)

    return ask


@asynccontextmanager
async def _lifespan(app: FastAPI, *, inner: Lifespan | None) -> AsyncIterator[None]:
    if inner is None:
        yield
        return
    try:
        async with inner(app):
            yield
    except Exception as error:
        structlog.get_logger().error("process.lifespan_failed", **logging.failure(error))
        raise


def _health(readiness: Readiness | None) -> APIRouter:
    router = APIRouter(include_in_schema=False)
    # Its own threads: a full pool of slow requests must not look like a dead process.
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
    async def metrics() -> Response:
        content, media_type = telemetry.exposition()
        return Response(content, headers={"Content-Type": media_type})

    return router


def _document(app: FastAPI, prepared: Path | None) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/openapi.json")
    def openapi_json() -> Response:  # not async: building it must not hold up other requests
        return FileResponse(prepared, media_type="application/json") if prepared else JSONResponse(app.openapi())

    return router


def _asked(readiness: Readiness) -> Readiness:
    def ask() -> dict[str, str]:
        try:
            return readiness()
        except Exception as error:  # noqa: BLE001 - whatever is wrong, the answer is "not ready"
            structlog.get_logger().warning("readiness.failed", **logging.failure(error))
            return dict.fromkeys(READINESS_PARTS, "unavailable")

    return ask


def _fixed_word(word: str | None) -> str:
    return word if word in _READINESS_WORDS else "unavailable"


def _readiness_answer(parts: dict[str, str]) -> JSONResponse:
    # PostgreSQL decides every answer; without the broker or the vectors the API degrades but still forgets.
    if parts["database"] != "ok":
        return JSONResponse({"status": "unavailable", "parts": parts}, 503, headers={"Retry-After": "2"})
    degraded = any(word != "ok" for word in parts.values())
    return JSONResponse({"status": "degraded" if degraded else "ready", "parts": parts})


class _AnnouncingServer(uvicorn.Server):
    """Says that it is ready once it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            announce_ready()


def serve(app: ASGIApp, settings: Settings) -> None:
    """Answer requests on `settings.host:port` until the process is told to stop; give running ones 5 s.

    Raises:
        SystemExit: the app could not start, or the port is taken.
    """
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=_CONNECTIONS_MAX,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    if not logging.is_configured():  # a process that forgot would otherwise print texts of exceptions
        logging.configure(settings.log_level, "web")
    server = _AnnouncingServer(config)
    try:
        server.run()
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(_START_FAILED)
