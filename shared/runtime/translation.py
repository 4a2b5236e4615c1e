"""Translates other products' paths, camel case and member names into ours before a route sees them.

A route knows one path and one spelling. Aliases are rewritten here by a table (`services.aliases`), and requests in
camel case get camel case responses. Streams and downloads are not changed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.runtime.problems import MEDIA_TYPE as PROBLEM_JSON
from shared.runtime.problems import VALIDATION_FAILED, ApiProblem, ProblemKind

NOT_BUILT: Final = ProblemKind(
    status=501, code="not_built_yet", title="This is not available yet. Nothing was changed."
)

_JSON: Final = "application/json"
_KEY: Final = re.compile(rb'(?<!\\)"([A-Za-z_][A-Za-z0-9_]{0,60})"(?=\s*:)')
_CAMEL: Final = re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")
_HUMP: Final = re.compile(r"(?<!^)([A-Z])")
_AFTER_UNDERSCORE: Final = re.compile(r"(?<=[a-z0-9])_([a-z0-9])")
_PLACE: Final = re.compile(r"\{(\w+)\}")
_SEGMENT: Final = re.compile(r"\\\{\w+\\\}")
"""A placeholder in an escaped path."""
_TYPED: Final = {"content_type": "type"}
"""Members that camel case responses repeat under a second name."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another product's path.

    Args:
        method, path: as requested; `{name}` matches one segment.
        ours: our method and path; a `{name}` that `path` lacks is taken from the members. None: answered 501.
        names: its members that have another name here.
    """

    method: str
    path: str
    ours: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Aliases:
    """All alternative names; see `services.aliases`.

    Args:
        prefixes: path prefixes → our prefixes.
        channels: separate paths, answered in camel case.
        renamed: our paths with members that have a second name.
        planned: known paths that are not built, answered 501.
        streamed: prefixes of our paths whose bodies are streamed and never translated.
    """

    prefixes: Mapping[str, str] = field(default_factory=dict)
    channels: Sequence[Alias] = ()
    renamed: Sequence[Alias] = ()
    planned: Sequence[Alias] = ()
    streamed: tuple[str, ...] = ()

    @cached_property
    def _channels(self) -> _Patterns:
        return _Patterns(self.channels)

    @cached_property
    def _rules(self) -> _Patterns:
        return _Patterns((*self.renamed, *self.planned))

    def channel(self, method: str, path: str) -> Alias | None:
        """Return the channel of a path; colons are read as slashes: `/memory:create`."""
        return self._channels.find(method, path.replace(":", "/"))

    def rule(self, method: str, path: str) -> Alias | None:
        """Return the alias rule for one of our paths."""
        return self._rules.find(method, path)

    def ours(self, path: str) -> str:
        """Return our path for `path`, by its prefix."""
        if any(path.startswith(target) for target in self.prefixes.values()):
            return path
        beginning = next((prefix for prefix in self.prefixes if path.startswith(prefix)), None)
        return path if beginning is None else self.prefixes[beginning] + path.removeprefix(beginning)


class _Patterns:
    """Finds the alias of a path; `{name}` matches one segment."""

    def __init__(self, aliases: Iterable[Alias]) -> None:
        self._known = [(one, re.compile(_SEGMENT.sub("[^/]+", re.escape(one.path)))) for one in aliases]

    def find(self, method: str, path: str) -> Alias | None:
        return next((one for one, form in self._known if one.method == method and form.fullmatch(path)), None)


def snake(name: str) -> str:
    """Convert a camel case name to snake case: `projectId` becomes `project_id`; other names are not changed."""
    return _HUMP.sub(r"_\1", name).lower() if _CAMEL.fullmatch(name) else name


def camel(name: str) -> str:
    """Convert a name to camel case: `project_id` becomes `projectId`."""
    return _AFTER_UNDERSCORE.sub(lambda found: found[1].upper(), name)


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
        spelling = _Spelling(rule.names if rule else {})
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
            send = _InCamelCase(send, self.free).send
        await self.app(scope, receive, send)


class _Spelling:
    """Translates the names of one request, and detects their spelling."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self.camel = False
        self.snake = False

    def of_body(self, body: bytes) -> bytes:
        """Return a JSON body with our names; values at any depth are not changed.

        A name is kept if its translation is also present: the route then refuses it, and nothing is lost.
        """
        found = {name.decode() for name in _KEY.findall(body)}
        ours = self._translated(found)
        if not ours:
            return body
        return _KEY.sub(lambda key: b'"%s"' % ours.get(key[1].decode(), key[1].decode()).encode(), body)

    def of_query(self, query: bytes) -> bytes:
        """Return a query with our names."""
        if not query:
            return query
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, encoding="latin-1")
        ours = self._translated({name for name, _ in pairs})
        if not ours:
            return query
        return urlencode([(ours.get(name, name), value) for name, value in pairs], encoding="latin-1").encode()

    def _translated(self, found: set[str]) -> dict[str, str]:
        self.snake = self.snake or any("_" in name for name in found)
        # `type` is a camel case client's name, although it has no capital.
        theirs = any(_CAMEL.fullmatch(name) for name in found) or (not self.snake and not found.isdisjoint(self._names))
        self.camel = self.camel or theirs
        wanted = {name: self._ours(name) for name in found}
        told = Counter(wanted.values())
        return {name: ours for name, ours in wanted.items() if name != ours and told[ours] == 1}

    def _ours(self, name: str) -> str:
        plain = snake(name)
        return self._names.get(plain, plain)


class _InCamelCase:
    """Converts a JSON response to camel case; other responses are not changed."""

    def __init__(self, send: Send, free: Callable[[], Collection[str]]) -> None:
        self._send = send
        self._free = free
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        """Send a part of the response, or collect it until the response is complete."""
        if message["type"] == "http.response.start" and _is_document(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._answer(self._start)

    async def _answer(self, start: Message) -> None:
        body = bytes(self._body)
        if body:
            document = json.loads(body)
            spelt = self._spelt(document)
            # A problem keeps its registered members too, so that error handlers find them in either spelling.
            if isinstance(document, dict) and _media_type(start) == PROBLEM_JSON:
                spelt = {**document, **spelt}
            body = json.dumps(spelt, ensure_ascii=False, separators=(",", ":")).encode()
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})

    def _spelt(self, node: Any) -> Any:
        match node:
            case dict():
                spelt = {camel(name): self._member(name, value) for name, value in node.items()}
                return {other: node[name] for name, other in _TYPED.items() if name in node} | spelt
            case list():
                return [self._spelt(one) for one in node]
            case _:
                return node

    def _member(self, name: str, value: Any) -> Any:
        if name == "loc":  # the location of an error consists of member names
            return [camel(part) if isinstance(part, str) else part for part in value]
        return value if name in self._free() else self._spelt(value)


def free_members(document: Mapping[str, Any]) -> frozenset[str]:
    """Return the members an OpenAPI document declares as maps, whose keys are data."""
    return frozenset(_free(document))


def _free(node: Any) -> Iterator[str]:
    match node:
        case dict():
            properties = node.get("properties")
            for name, schema in properties.items() if isinstance(properties, dict) else ():
                if isinstance(schema, dict) and schema.get("additionalProperties"):
                    yield name
            for child in node.values():
                yield from _free(child)
        case list():
            for child in node:
                yield from _free(child)


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
    return media_type == _JSON or (media_type.startswith("application/") and media_type.endswith("+json"))


def _media_type(start: Message) -> str:
    return Headers(raw=start["headers"]).get("content-type", "").split(";")[0].strip()


def _is_document(start: Message) -> bool:
    return _media_type(start) in {_JSON, PROBLEM_JSON} and "content-disposition" not in Headers(raw=start["headers"])


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
