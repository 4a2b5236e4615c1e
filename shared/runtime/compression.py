"""Lists are mostly the same words again and again: JSON that is worth it is sent compressed."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST: Final = 1_000
"""Bytes; below, the headers weigh more than what is saved."""
LEVEL: Final = 5


class CompressedJson:
    """Compress whole JSON answers for whoever takes gzip. Streams, files and parts of files stay as they are.

    An attacker who sees how long an answer is, and can put words of their own into it, may guess others in it (BREACH).
    No answer repeats what a request says beside secrets, and a browser sends the session cookie for no other site.
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
                start = message  # sent with the body, whose length it says
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
    """Return the body compressed and say so in its start; as it is where that saves little."""
    headers = MutableHeaders(raw=start["headers"])
    headers.add_vary_header("Accept-Encoding")
    content: bytes = body.get("body", b"")
    if start["status"] == HTTPStatus.PARTIAL_CONTENT or len(content) < LEAST:
        return body
    smaller = gzip.compress(content, LEVEL, mtime=0)
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(smaller))
    return {**body, "body": smaller}
