"""Creates an HTTP app, so that every API authenticates, fails and logs in the same way."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import structlog
from fastapi import APIRouter, Depends, FastAPI, Request, Response, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from shared.runtime import logging, openapi, request_metrics
from shared.runtime import problems as _problems
from shared.runtime.aliases import Aliases
from shared.runtime.authentication import Authenticator, Principal, Unauthenticated
from shared.runtime.compression import CompressedJson
from shared.runtime.health import Readiness, health_router
from shared.runtime.issuer import Issuer
from shared.runtime.known_query import refuse_unknown_query
from shared.runtime.methods import Methods
from shared.runtime.middleware import LOOPBACK_NAMES, BodyLimit, Entrance, RequestContext, UnhandledErrors
from shared.runtime.rates import Rates, TooManyRequests
from shared.runtime.session_cookie import credentials_of
from shared.runtime.settings import Settings
from shared.runtime.spelling import free_members
from shared.runtime.storable_text import refuse_unstorable_text
from shared.runtime.translation import TranslateMembers, TranslatePaths

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

BODY_BYTES: Final = 65_536
"""Default maximum body size; fits 4,000 characters in any escaped form."""

_bearer = HTTPBearer(
    scheme_name="bearer",
    bearerFormat="JWT, or the service key",
    description="A person's token (`memory-center token`), or the key of a service.",
    auto_error=False,
)


async def current_principal(
    request: Request, _documented: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]
) -> Principal:
    """Return the authenticated caller; a dependency for routes: `principal: CurrentPrincipal`.

    Raises:
        Unauthenticated: answered 401 with `WWW-Authenticate: Bearer`.
    """
    principal: Principal | Unauthenticated = request.state.principal
    if isinstance(principal, Unauthenticated):
        raise type(principal)(principal.code)
    return principal


CurrentPrincipal = Annotated[Principal, Depends(current_principal)]


async def _guarded(request: Request) -> None:  # async: a sync dependency would take a thread for every request
    guard: Callable[[Request], None] | None = request.app.state.guard
    if guard is not None:
        guard(request)


def api_router(*, prefix: str = "", tags: list[str | Enum] | None = None, include_in_schema: bool = True) -> APIRouter:
    """Return a router whose routes can be shared by several apps, so they are built once per process.

    Args:
        prefix: prefix of every path.
        tags: of every route in the OpenAPI document.
        include_in_schema: whether that document includes its routes.
    """
    return APIRouter(
        prefix=prefix,
        tags=tags,
        include_in_schema=include_in_schema,
        dependencies=[Depends(refuse_unstorable_text), Depends(refuse_unknown_query), Depends(_guarded)],
        generate_unique_id_function=openapi.operation_id,
    )


def create_app(
    *,
    title: str,
    settings: Settings,
    routers: Sequence[APIRouter],
    problems: Mapping[type[Exception], _problems.ProblemKind] | None = None,
    lifespan: Lifespan | None = None,
    readiness: Readiness | None = None,
    guard: Callable[[Request], None] | None = None,
    body_limits: Mapping[str, int | None] | None = None,
    rates: Rates | None = None,
    version: str = "1",
    description: str = "",
    document: Path | None = None,
    aliases: Aliases | None = None,
) -> FastAPI:
    """Return an app whose responses follow the API conventions.

    Args:
        title: for the OpenAPI document.
        settings: keys and limits of this process.
        routers: made by `api_router`, with full paths (`/api/v1/…`); routes of other routers would be unguarded.
        problems: how the routers' domain errors are answered.
        lifespan: opens what the routes need and closes it.
        readiness: returns a word for each of `health.READINESS_PARTS`: `ok`, `starting`, `unavailable`, `damaged`, or
            the code of a `NotServing`; runs in a thread.
        guard: refuses any request to the routers, except health checks, by raising; must not block.
        body_limits: maximum body bytes by path prefix, instead of `BODY_BYTES`; None means `settings.max_body_bytes`.
        rates: rate limits per caller; None means no limits.
        version: of the API.
        description: for the OpenAPI document.
        document: the routers' OpenAPI document as a file; None means it is built when first read.
        aliases: alternative paths and member names; also enables camel case.

    Raises:
        TypeError: a router was not made by `api_router`.
    """
    for router in routers:
        if not any(each.dependency is _guarded for each in router.dependencies):
            raise TypeError("a router that api_router did not make")
    issuer = _issuer(settings)
    app = FastAPI(
        title=title,
        version=version,
        description=description,
        servers=[{"url": "/"}],
        lifespan=functools.partial(_lifespan, inner=lifespan, rates=rates, issuer=issuer),
        redirect_slashes=False,  # a redirect repeats the path, and metrics would count it untemplated
        openapi_url=None,  # `_document` serves it, because FastAPI's route serialises it for every request
        docs_url=None,
        redoc_url=None,
        # Its spans contain URLs and its log records exception messages.
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
    )
    authenticator = Authenticator(
        settings.signing_key.get_secret_value(), settings.service_key.get_secret_value(), issuer=issuer
    )
    app.state.authenticator = authenticator
    app.state.guard = guard
    health, document_route = health_router(readiness), _document(app, document)
    for router in (*routers, health, document_route):
        app.router.routes.extend(router.routes)  # including a router would build its routes again
    app.openapi = functools.partial(openapi.document, app, document)  # type: ignore[method-assign]  # FastAPI's way
    answer = _problems.install(
        app,
        {TooManyRequests: _problems.TOO_MANY_REQUESTS, **(problems or {})},
        Methods([*routers, health, document_route]),
    )
    # The middleware added last handles a request first.
    if aliases is not None:
        free = functools.cache(lambda: free_members(app.openapi()))
        app.add_middleware(TranslateMembers, aliases=aliases, free=free)
    limits = {path: settings.max_body_bytes if limit is None else limit for path, limit in (body_limits or {}).items()}
    app.add_middleware(BodyLimit, limit=min(BODY_BYTES, settings.max_body_bytes), routes=limits)
    app.add_middleware(
        Entrance,
        hosts=hosts(settings),
        authenticate=lambda request: authenticator.authenticate(credentials_of(request)),
        count=rates.count if rates is not None else None,
    )
    app.add_middleware(UnhandledErrors, answer=answer)
    app.add_middleware(CompressedJson)
    request_metrics.instrument(app)
    if aliases is not None:
        app.add_middleware(TranslatePaths, aliases=aliases)  # runs before metrics, which know only our paths
    app.add_middleware(RequestContext)
    return app


def hosts(settings: Settings) -> frozenset[str]:
    """Return the host names a service answers to: loopback names, its own, and those the operator adds."""
    added = filter(None, (name.strip() for name in settings.allowed_hosts.split(",")))
    return LOOPBACK_NAMES | {name.lower().strip("[]") for name in (settings.host, *added)}


@asynccontextmanager
async def _lifespan(
    app: FastAPI, *, inner: Lifespan | None, rates: Rates | None, issuer: Issuer | None
) -> AsyncIterator[None]:
    try:
        if issuer is not None:
            await run_in_threadpool(issuer.start)
        async with inner(app) if inner is not None else nullcontext():
            yield
    except Exception as error:
        structlog.get_logger().error("process.lifespan_failed", **logging.failure(error))
        raise
    finally:
        if issuer is not None:
            issuer.stop()
        if rates is not None:
            await rates.close()


def _issuer(settings: Settings) -> Issuer | None:
    if settings.oidc_issuer is None or settings.oidc_audience is None:
        return None
    return Issuer(settings.oidc_issuer, settings.oidc_audience)


def _document(app: FastAPI, prepared: Path | None) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/openapi.json")
    def openapi_json() -> Response:  # not async: building it must not block other requests
        return FileResponse(prepared, media_type="application/json") if prepared else JSONResponse(app.openapi())

    return router
