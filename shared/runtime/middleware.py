"""Middleware of every HTTP request. Pure ASGI; waits for nothing but the client."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container, Mapping
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils.compat import uuid7

from shared.runtime.authentication import Principal, Unauthenticated
from shared.runtime.problems import (
    BODY_TOO_LARGE,
    ENCODING_NOT_ACCEPTED,
    HOST_NOT_ALLOWED,
    UNAUTHENTICATED,
    Answer,
    ApiProblem,
)

REQUEST_ID_HEADER: Final = "X-Request-ID"
API_PREFIX: Final = "/api/"
API_CONTENT_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
PROBES: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""Called by machines under any host name; they contain nothing about people."""
ANONYMOUS_BODY_BYTES: Final = 16_384
"""Maximum body of an unauthenticated request."""
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DIGITS_MAX: Final = 18
_CHARSET: Final = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestContext:
    """Gives the request an id, binds it to every log line, and adds it and security headers to the response."""

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
    """Handles errors no other handler did, inside the middlewares that log and add headers."""

    def __init__(self, app: ASGIApp, answer: Answer) -> None:
        self.app = app
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on.

        Raises:
            Exception: an error after the response had begun; the server then closes the connection.
        """
        started = False

        async def send_and_notice(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_and_notice)
        except ClientDisconnect:
            structlog.get_logger().info("http.client_left")
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            response = await self.answer(Request(scope), error)
            await response(scope, receive, send)


class Entrance:
    """Refuses requests before their body is read: wrong host names, and too many requests.

    A foreign page can point its own host name here (DNS rebinding); the browser then sends that name and is refused.

    Args:
        app: the wrapped application.
        hosts: the accepted host names, in lower case, without ports.
        authenticate: returns the principal of a request.
        count: counts a request of an authenticated caller, or raises.
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
        """Store the principal, or why there is none, in `scope["state"]["principal"]`, and pass the request on.

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
    """Return the name in a `Host` header, without port, in lower case."""
    name = header[1:].partition("]")[0] if header.startswith("[") else header.partition(":")[0]
    return name.lower().removesuffix(".")


def _is_not_utf8(headers: Headers) -> bool:
    charset = _CHARSET.search(headers.get("content-type", ""))
    return charset is not None and charset[1].lower() not in {"utf-8", "utf8", "us-ascii"}


class BodyLimit:
    """Refuses bodies above a size, counted in raw bytes before anything parses them, and those in other encodings.

    Args:
        app: the wrapped application.
        limit: maximum bytes of a body.
        routes: other limits by path prefix; the first match applies.
    """

    def __init__(self, app: ASGIApp, limit: int, routes: Mapping[str, int]) -> None:
        self.app = app
        self.limit = limit
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; refuse it if its announced or actual body is too large.

        Raises:
            ApiProblem: `body_too_large`, `encoding_not_accepted`.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if headers.get("content-encoding", "identity").lower() != "identity" or _is_not_utf8(headers):
            raise ApiProblem(ENCODING_NOT_ACCEPTED)
        limit = next((size for prefix, size in self.routes.items() if scope["path"].startswith(prefix)), self.limit)
        who = scope.get("state", {}).get("principal")
        nobody = who if isinstance(who, Unauthenticated) and limit > ANONYMOUS_BODY_BYTES else None
        if nobody:
            limit = ANONYMOUS_BODY_BYTES
        announced = headers.get("content-length", "")
        if announced.isdecimal() and (len(announced) > _DIGITS_MAX or int(announced) > limit):
            raise Unauthenticated(nobody.code) if nobody else ApiProblem(BODY_TOO_LARGE)
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > limit:
                    # While reading a body, FastAPI only passes an HTTPException through.
                    raise HTTPException(UNAUTHENTICATED.status if nobody else BODY_TOO_LARGE.status)
            return message

        await self.app(scope, receive_within_limit, send)
