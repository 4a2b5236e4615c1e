"""Translates other products' paths, camel case and member names into ours before a route sees them.

A route knows one path and one spelling. Aliases are rewritten here by a table (`services.aliases`), and requests in
camel case get camel case responses. Streams and downloads are not changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.runtime.aliases import Alias, Aliases
from shared.runtime.problems import VALIDATION_FAILED, ApiProblem, ProblemKind
from shared.runtime.spelling import JSON, InCamelCase, Spelling

NOT_BUILT: Final = ProblemKind(
    status=501, code="not_built_yet", title="This is not available yet. Nothing was changed."
)

_PLACE: Final = re.compile(r"\{(\w+)\}")


class TranslatePaths:
    """Rewrites other products' paths to ours, before anything else reads the path."""

    def __init__(self, app: ASGIApp, aliases: Aliases) -> None:
        self.app = app
        self.aliases = aliases

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with our path."""
        if scope["type"] == "http":
            asked, method = scope["path"], scope["method"]
            channel = self.aliases.channel(method, asked)
            if channel is not None and channel.ours is not None:
                method, path = channel.ours.split(" ")
                scope.setdefault("state", {})["channel"] = channel
            else:
                path = self.aliases.ours(asked)
            if path != asked:
                _move(scope, method, path)
        await self.app(scope, receive, send)


class TranslateMembers:
    """Renames members in queries and JSON bodies to ours, and answers camel case in camel case.

    Args:
        app: the wrapped application.
        aliases: the alternative names of members.
        free: returns the members whose keys are data and are not translated.
    """

    def __init__(self, app: ASGIApp, aliases: Aliases, *, free: Callable[[], Collection[str]]) -> None:
        self.app = app
        self.aliases = aliases
        self.free = free

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with our names.

        Raises:
            ApiProblem: 501 `not_built_yet`; 422 if a channel lacks a member its path needs.
        """
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        channel: Alias | None = scope.get("state", {}).get("channel")
        rule = channel or self.aliases.rule(scope["method"], scope["path"])
        if rule is not None and rule.ours is None:
            raise ApiProblem(NOT_BUILT)
        spelling = Spelling(rule.names if rule else {}, self.free)
        scope["query_string"] = spelling.of_query(scope["query_string"])
        if _has_json(scope) and not scope["path"].startswith(self.aliases.streamed):
            receive = _Body(await _read(receive), receive)
            if receive.content is not None:
                receive.content = spelling.of_body(receive.content)
                if channel is not None:
                    receive.content = _fill_in(scope, receive.content)
                _set_length(scope, receive.content)
        elif channel is not None:
            _fill_in(scope, b"")
        if spelling.camel or _prefers_camel(scope) or (channel is not None and not spelling.snake):
            send = InCamelCase(send, self.free).send
        await self.app(scope, receive, send)


def _fill_in(scope: Scope, body: bytes) -> bytes:
    """Move a channel's members to where our route expects them; return the remaining body.

    Raises:
        ApiProblem: 422; a member the path needs is missing.
    """
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    try:
        members = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError):
        return body  # the route reports the error
    if not isinstance(members, dict):
        return body
    path = scope["path"]
    for name in _PLACE.findall(path):
        value = members.pop(name, None) or query.pop(name, None)
        if not isinstance(value, str) or not value:
            fault = {"loc": ["body", name], "msg": "This field is required.", "type": "missing"}
            raise ApiProblem(VALIDATION_FAILED, errors=[fault])
        path = path.replace(f"{{{name}}}", quote(value, safe="", errors="surrogatepass"))
    if scope["method"] in {"GET", "DELETE"}:
        said = {name: _in_query(value) for name, value in members.items() if value is not None}
        query |= said
        members = {}
    scope["query_string"] = urlencode(query, doseq=True, errors="surrogatepass").encode()
    _move(scope, scope["method"], path)
    return json.dumps(members).encode() if members or scope["method"] not in {"GET", "DELETE"} else b""


def _in_query(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_query(one) for one in value]
    return value if isinstance(value, str) else json.dumps(value)


def _move(scope: Scope, method: str, path: str) -> None:
    # In place, so that outer middlewares (metrics, headers) see the translated request.
    scope["method"], scope["path"], scope["raw_path"] = method, path, quote(path).encode()


def _has_json(scope: Scope) -> bool:
    media_type = Headers(scope=scope).get("content-type", "").split(";")[0].strip().lower()
    return media_type == JSON or (media_type.startswith("application/") and media_type.endswith("+json"))


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body; None if the client disconnected before its end."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


@dataclass
class _Body:
    """Replays a body that was read; afterwards passes on the client's messages."""

    content: bytes | None
    receive: Receive
    delivered: bool = False

    async def __call__(self) -> Message:
        if self.content is None:
            return {"type": "http.disconnect"}
        if self.delivered:
            return await self.receive()
        self.delivered = True
        return {"type": "http.request", "body": self.content, "more_body": False}


def _prefers_camel(scope: Scope) -> bool:
    wishes = ",".join(Headers(scope=scope).getlist("prefer")).split(",")
    return any(wish.strip().lower() == "case=camel" for wish in wishes)


def _set_length(scope: Scope, body: bytes) -> None:
    kept = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    scope["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
