"""Sends requests to the upstream, and lets its answers pass byte for byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote

import httpx
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from services.proxy.answers import Words
from services.proxy.refusals import problem

PREFIX: Final = "/openai/v1"
BODY_MAX: Final = 20_000_000
HOP_BY_HOP: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
OF_REQUESTS: Final = frozenset({b"host", b"content-length", b"accept-encoding"})
"""Headers that a request gets anew."""
OURS: Final = frozenset({b"cookie"})
"""The web app's cookie is a person's token."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Who hears an answer: `words` reads it, and `tell` gets what was said, and whether it came to its end."""

    words: type[Words]
    tell: Callable[[str, bool], None]


class TooLarge(Exception):
    """The body is larger than the proxy accepts."""


class Upstream:
    """The API that answers.

    Args:
        url: its address, with `/v1`.
        key: replaces the caller's `Authorization`; None passes it on.
    """

    def __init__(self, http: httpx.AsyncClient, url: str, key: str | None) -> None:
        self._http, self._url, self._key = http, url.rstrip("/"), key

    async def answer(
        self, request: Request, body: bytes, told: Mapping[str, str], heard: Heard | None = None
    ) -> Response:
        """Return what the upstream answers to a request.

        Args:
            told: headers to add to the answer.
            heard: is told the answer's words at its end, if it is a success.
        """
        path = path_of(request)
        if {".", ".."} & set(unquote(path).replace("\\", "/").split("/")):
            return problem(404, "not_found", "There is nothing here.")
        query = request.scope["query_string"].decode("ascii", "replace")
        wanted = self._http.build_request(
            request.method,
            f"{self._url}{path}" + (f"?{query}" if query else ""),
            content=body,
            headers=self._headers(request),
        )
        try:
            answer = await _unless_left(request, self._http.send(wanted, stream=True))
        except httpx.HTTPError:
            return problem(502, "upstream_unreachable", "The upstream cannot be reached.")
        if answer is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)  # nobody is there to read it
        found = StreamingResponse(_passing(answer, heard), status_code=answer.status_code)
        found.raw_headers = [
            *_passed_on([(name.lower(), value) for name, value in answer.headers.raw]),
            *((name.lower().encode(), value.encode()) for name, value in told.items()),
        ]
        return found

    def _headers(self, request: Request) -> list[tuple[bytes, bytes]]:
        """Return the caller's headers for the upstream: none about memory, and an answer that is not compressed."""
        kept = [
            (name, value)
            for name, value in _passed_on(request.headers.raw)
            if name not in OF_REQUESTS | OURS and not name.startswith(b"memory-")
        ]
        if self._key is not None:
            kept = [(name, value) for name, value in kept if name != b"authorization"]
            kept.append((b"authorization", f"Bearer {self._key}".encode()))
        return [*kept, (b"accept-encoding", b"identity")]


def _passed_on(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers, named in small letters, without those of one connection (RFC 9110, 7.6.1)."""
    named = {one.strip().lower() for name, value in headers if name == b"connection" for one in value.split(b",")}
    return [(name, value) for name, value in headers if name not in HOP_BY_HOP | named]


def path_of(request: Request) -> str:
    """Return the path a request asks of the upstream, percent-encoded as it came."""
    return bytes(request.scope["raw_path"]).decode("ascii", "replace").split("?", 1)[0].removeprefix(PREFIX)


async def _passing(answer: httpx.Response, heard: Heard | None) -> AsyncIterator[bytes]:
    streamed = answer.headers.get("content-type", "").startswith("text/event-stream")
    words = heard.words(streamed=streamed) if heard is not None and answer.status_code == HTTPStatus.OK else None
    try:
        async for chunk in answer.aiter_raw():
            if words is not None:
                words.see(chunk)
            yield chunk
    finally:
        if words is not None and heard is not None:
            said = words.end()
            heard.tell(said, words.complete)
        with contextlib.suppress(httpx.HTTPError):
            await asyncio.shield(answer.aclose())


async def _unless_left(request: Request, sending: Any) -> httpx.Response | None:
    """Wait for the upstream's answer; None if the client left before, and then the request is given up."""
    answering = asyncio.ensure_future(sending)
    while not answering.done():
        await asyncio.wait([answering], timeout=0.25)
        if not answering.done() and await request.is_disconnected():
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError, httpx.HTTPError):
                await answering
            return None
    found: httpx.Response = answering.result()
    return found


async def body_of(request: Request) -> bytes:
    """Return the body of a request.

    Raises:
        TooLarge: it has more than `BODY_MAX` bytes.
    """
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > BODY_MAX:
            raise TooLarge(f"At most {BODY_MAX} bytes.")
    return bytes(read)
