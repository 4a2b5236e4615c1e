"""What every HTTP request passes before a route sees it. Pure ASGI, nothing here waits for anything but the client."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container, Mapping
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils.compat import uuid7

from shared.runtime.authentication import Principal, Unauthenticated
from shared.runtime.problems import BODY_TOO_LARGE, HOST_NOT_ALLOWED, UNAUTHENTICATED, Answer, ApiProblem

REQUEST_ID_HEADER: Final = "X-Request-ID"
API_PREFIX: Final = "/api/"
API_CONTENT_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
PROBES: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""Asked by machines, under whatever name or address they know; they say nothing about anybody."""
ANONYMOUS_BODY_BYTES: Final = 16_384
"""Nothing a caller who is not known may send is longer."""
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DIGITS_MAX: Final = 18
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestContext:
    """Gives the request an id, binds it to every log line, and adds it and the security headers to the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        offered = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        request_id = offered if _REQUEST_ID.fullmatch(offered) else str(uuid7())
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID_HEADER] = request_id
                _secure(headers, scope["path"])
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self.app(scope, receive, send_with_headers)


def _secure(headers: MutableHeaders, path: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    if path.startswith(API_PREFIX):
        headers["Cache-Control"] = "no-store"
        headers["Content-Security-Policy"] = API_CONTENT_POLICY
    else:
        headers.setdefault("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")


class UnhandledErrors:
    """Answers errors nobody else did, inside the middlewares that log and add headers."""

    def __init__(self, app: ASGIApp, answer: Answer) -> None:
        self.app = app
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on.

        Raises:
            Exception: an error after the answer had begun; the server then closes the connection.
        """
        started = False

        async def send_and_notice(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_and_notice)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            response = await self.answer(Request(scope), error)
            await response(scope, receive, send)


class Entrance:
    """Refuses what needs no look at the body: another host's name, one request too many.

    A page elsewhere can let its own name point here (DNS rebinding): then the browser sends that name, and is refused.

    Args:
        app: the application behind.
        hosts: the names this service answers to, in lower case, without ports.
        authenticate: says who sent a request.
        count: counts a request of a caller who is known, or raises.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Container[str],
        authenticate: Callable[[Request], Principal],
        count: Callable[[Principal], Awaitable[None]] | None,
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.authenticate = authenticate
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note in `scope["state"]["principal"]` who asks, or why that cannot be told, and pass the request on.

        Raises:
            ApiProblem: `host_not_allowed`.
            TooManyRequests: from `count`.
        """
        if scope["type"] == "http" and scope["path"] not in PROBES:
            request = Request(scope)
            names = request.headers.getlist("host")
            if not names or not all(host_name(name) in self.hosts for name in names):
                raise ApiProblem(HOST_NOT_ALLOWED)
            scope.setdefault("state", {})["principal"] = principal = self._who(request)
            if self.count is not None and isinstance(principal, Principal) and scope["path"].startswith(API_PREFIX):
                await self.count(principal)
        await self.app(scope, receive, send)

    def _who(self, request: Request) -> Principal | Unauthenticated:
        try:
            return self.authenticate(request)
        except Unauthenticated as nobody:
            return nobody


def host_name(header: str) -> str:
    """Return the name in a `Host` header: without its port, in lower case."""
    name = header[1:].partition("]")[0] if header.startswith("[") else header.partition(":")[0]
    return name.lower().removesuffix(".")


class BodyLimit:
    """Refuses bodies above a size, counted in raw bytes before anything parses them.

    Args:
        app: the application behind.
        limit: bytes a body may have.
        routes: other limits by path prefix; the first that fits counts.
    """

    def __init__(self, app: ASGIApp, limit: int, routes: Mapping[str, int]) -> None:
        self.app = app
        self.limit = limit
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it announces too much; stop reading once it has sent too much.

        Raises:
            ApiProblem: `body_too_large`.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = next((size for prefix, size in self.routes.items() if scope["path"].startswith(prefix)), self.limit)
        who = scope.get("state", {}).get("principal")
        nobody = who if isinstance(who, Unauthenticated) and limit > ANONYMOUS_BODY_BYTES else None
        if nobody:
            limit = ANONYMOUS_BODY_BYTES
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and (len(announced) > _DIGITS_MAX or int(announced) > limit):
            raise Unauthenticated(nobody.code) if nobody else ApiProblem(BODY_TOO_LARGE)
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > limit:
                    # FastAPI lets an HTTPException through while reading a body, and nothing else.
                    raise HTTPException(UNAUTHENTICATED.status if nobody else BODY_TOO_LARGE.status)
            return message

        await self.app(scope, receive_within_limit, send)
