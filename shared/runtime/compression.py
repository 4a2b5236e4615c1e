"""Compresses JSON responses; lists repeat the same words and compress well."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST: Final = 1_000
"""Bytes; smaller bodies are not worth the extra headers."""
LEVEL: Final = 5


class CompressedJson:
    """Compress whole JSON responses for clients that accept gzip. Streams, files and partial content are not changed.

    An attacker who sees a response's length and controls part of its text may guess other text in it (BREACH). No
    response contains both request text and secrets, and browsers do not send the session cookie for other sites.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await self._app(scope, receive, send)
            return
        start: Message | None = None

        async def compress(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_json(message):
                start = message  # sent with the body, whose length it contains
                return
            if start is not None:
                first, start = start, None
                if message["type"] == "http.response.body" and not message.get("more_body", False):
                    message = _compressed(first, message)
                await send(first)
            await send(message)

        await self._app(scope, receive, compress)


def _is_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").split(";")[0]
    return kind in {"application/json", "application/problem+json"} and "content-encoding" not in headers


def _compressed(start: Message, body: Message) -> Message:
    """Return the compressed body and update the headers; a small body is returned unchanged."""
    headers = MutableHeaders(raw=start["headers"])
    headers.add_vary_header("Accept-Encoding")
    content: bytes = body.get("body", b"")
    if start["status"] == HTTPStatus.PARTIAL_CONTENT or len(content) < LEAST:
        return body
    smaller = gzip.compress(content, LEVEL, mtime=0)
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(smaller))
    return {**body, "body": smaller}
