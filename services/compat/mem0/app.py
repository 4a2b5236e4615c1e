"""mem0's REST API as its own clients and its open-source server speak it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from memory_center_client import ApiError, AsyncMemoryCenter, MemoryCenterError
from memory_center_client.mem0 import AsyncMem0Calls, Refused, unsupported
from memory_center_client.mem0_forms import members
from services.compat.mem0 import answers

BODY_MAX: Final = 2_000_000
TENANTS: Final = ("org_id", "project_id")
"""mem0's older clients name them in every query; here there is one of each."""
Handler = Callable[[AsyncMem0Calls, Request, dict[str, Any]], Awaitable[Any]]


def mem0_app(gateway_url: str, *, transport: httpx2.AsyncBaseTransport | None = None) -> Starlette:
    """Return the application, at its root and below `/mem0`.

    Args:
        gateway_url: where the gateway is reached from here.
        transport: to the gateway; default: the network.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncMemoryCenter(gateway_url, transport=transport, retries=1) as gateway:
            app.state.gateway = gateway
            yield

    routes = [
        _route("GET", "/v1/ping/", lambda memories, _, __: memories.whose()),
        *(
            _route("POST", path, lambda memories, _, body: memories.add(body))
            for path in ("/v3/memories/add/", "/v1/memories/", "/memories")
        ),
        *(
            _route("POST", path, lambda memories, _, body: memories.search(body))
            for path in ("/v3/memories/search/", "/v2/memories/search/", "/v1/memories/search/", "/search")
        ),
        *(
            _route("POST", path, lambda memories, request, body: memories.page(body, _query(request)))
            for path in ("/v3/memories/", "/v2/memories/")
        ),
        *(
            _route("GET", path, lambda memories, request, body: memories.page(body, _query(request)))
            for path in ("/v1/memories/", "/memories")
        ),
        *(
            _route("DELETE", path, lambda memories, _, body: memories.delete_all(body))
            for path in ("/v1/memories/", "/memories")
        ),
        *(_one(root, end) for root, end in (("/v1/memories/", "/"), ("/memories/", ""))),
        _route("PUT", "/v1/batch/", lambda memories, _, body: memories.update_batch(body)),
        _route("DELETE", "/v1/batch/", lambda memories, _, body: memories.delete_batch(body)),
        _route("POST", "/v1/feedback/", lambda memories, _, body: memories.feedback(body)),
        _route("GET", "/v1/event/{id}/", lambda memories, request, _: memories.event(request.path_params["id"])),
        Route("/{path:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]
    return Starlette(
        routes=[Mount("/mem0", routes=routes), *routes],
        lifespan=lifespan,
        exception_handlers={Refused: _refused, ApiError: _answered, MemoryCenterError: _away},
    )


def _one(root: str, end: str) -> Mount:
    def of(handle: Callable[[AsyncMem0Calls, str, dict[str, Any]], Awaitable[Any]]) -> Handler:
        return lambda memories, request, body: handle(memories, request.path_params["id"], body)

    return Mount(
        root.rstrip("/"),
        routes=[
            _route("GET", f"/{{id}}/history{end}", of(lambda memories, id_, said: memories.history(_alone(id_, said)))),
            _route("GET", f"/{{id}}{end}", of(lambda memories, id_, said: memories.get(_alone(id_, said)))),
            _route("PUT", f"/{{id}}{end}", of(lambda memories, id_, body: memories.update(id_, body))),
            _route("DELETE", f"/{{id}}{end}", of(lambda memories, id_, said: memories.delete(_alone(id_, said)))),
        ],
    )


def _route(method: str, path: str, handle: Handler) -> Route:
    async def answer(request: Request) -> Response:
        memories = AsyncMem0Calls(request.app.state.gateway, _token(request))
        return JSONResponse(await handle(memories, request, _with_query(request, await _body(request))))

    return Route(path, answer, methods=[method])


def _query(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.query_params.items() if name not in TENANTS}


def _with_query(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Return what a request says in its body and its query, wherever mem0 looks for it: ignored, a filter would widen.

    Raises:
        Refused: it says two different things.
    """
    said = dict(body)
    for name, value in request.query_params.multi_items():
        if name in said and str(said[name]) != value:
            raise Refused(422, "mem0_invalid", f"{name} has two values.")
        if name not in TENANTS:
            said.setdefault(name, value)
    return said


def _alone(memory_id: str, said: Mapping[str, Any]) -> str:
    """Return the id of a memory for which a request says nothing else."""
    members(said)
    return memory_id


def _token(request: Request) -> str:
    """Return a person's token or the service key: `Authorization: Token …`, `Bearer …`, or `X-API-Key`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    found = token.strip() if scheme.lower() in ("token", "bearer") else request.headers.get("x-api-key", "")
    if not found or not found.isascii() or not found.isprintable():
        raise Refused(401, "credentials_missing", "A person's token or the service key is needed.")
    return found


async def _body(request: Request) -> dict[str, Any]:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_MAX:
            raise Refused(413, "body_too_large", f"At most {BODY_MAX} bytes.")
    if not raw:
        return {}
    try:
        found = json.loads(raw)
        json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError):
        raise Refused(400, "bad_request", "The body must be JSON.") from None
    if not isinstance(found, dict):
        raise Refused(422, "mem0_invalid", "The body must be an object.")
    return found


async def _unknown(request: Request) -> Response:
    _token(request)
    first = request.path_params["path"].strip("/").removeprefix("mem0/").split("/")
    named = next((one for one in first if one.isalpha() and one != "api"), "this path")
    raise unsupported(named)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)  # noqa: S101 # what it is called for
    return answers.problem(error.status, error.code, error.title)


async def _answered(_: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)  # noqa: S101 # what it is called for
    return answers.problem(error.status, error.code, error.title)


async def _away(_: Request, __: Exception) -> Response:
    return answers.problem(503, "memory_unavailable", "Memory Center cannot be reached.")
