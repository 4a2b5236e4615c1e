"""Spells the names of a request as ours, and those of its response in camel case."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Send

from shared.runtime.problems import MEDIA_TYPE as PROBLEM_JSON

JSON: Final = "application/json"
_TOKEN: Final = re.compile(rb'"(?>(?:[^"\\]|\\.)*)(?:"(\s*:)?)?|[{}]', re.DOTALL)
"""A string that never ends is one token, too: looked for again at each of its quotes, it would take quadratic time."""
_NAME: Final = re.compile(rb'"([A-Za-z_][A-Za-z0-9_]{0,60})"\s*:')
_CAMEL: Final = re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")
_HUMP: Final = re.compile(r"(?<!^)([A-Z])")
_AFTER_UNDERSCORE: Final = re.compile(r"(?<=[a-z0-9])_([a-z0-9])")
_TYPED: Final = {"content_type": "type"}
"""Members that camel case responses repeat under a second name."""


def snake(name: str) -> str:
    """Convert a camel case name to snake case: `projectId` becomes `project_id`; other names are not changed."""
    return _HUMP.sub(r"_\1", name).lower() if _CAMEL.fullmatch(name) else name


def camel(name: str) -> str:
    """Convert a name to camel case: `project_id` becomes `projectId`."""
    return _AFTER_UNDERSCORE.sub(lambda found: found[1].upper(), name)


class Spelling:
    """Translates the names of one request, and detects their spelling.

    Args:
        names: other names of members.
        free: returns the members whose keys are data: these are kept, and say nothing about the spelling.
    """

    def __init__(self, names: Mapping[str, str], free: Callable[[], Collection[str]]) -> None:
        self._names = names
        self._free = free
        self.camel = False
        self.snake = False

    def of_body(self, body: bytes) -> bytes:
        """Return a JSON body with our names; values at any depth are not changed.

        A name is kept if its translation is also present: the route then refuses it, and nothing is lost.
        """
        places = list(self._members(body))
        ours = self._translated({name for name, _ in places})
        if not ours:
            return body
        written, at = bytearray(), 0
        for name, start in places:
            written += body[at:start] + ours.get(name, name).encode()
            at = start + len(name)
        return bytes(written + body[at:])

    def _members(self, body: bytes) -> Iterator[tuple[str, int]]:
        """Yield each name of a member and where it stands, outside maps whose keys are data."""
        depth, data_from, before = 0, 0, (b"", 0)
        for token in _TOKEN.finditer(body):
            text = token[0]
            if text == b"{":
                depth += 1
                name, end = before
                if not data_from and snake(name.decode()) in self._free() and not body[end : token.start()].strip():
                    data_from = depth
            elif text == b"}":
                depth -= 1
                data_from = 0 if depth < data_from else data_from
            elif not data_from and (key := _NAME.fullmatch(text)):
                before = key[1], token.end()
                yield key[1].decode(), token.start() + 1

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


class InCamelCase:
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
        return value if isinstance(value, dict) and name in self._free() else self._spelt(value)


def free_members(document: Mapping[str, Any]) -> frozenset[str]:
    """Return the members an OpenAPI document declares as maps, whose keys are data."""
    return frozenset(_free(document))


def _free(node: Any) -> Iterator[str]:
    match node:
        case dict():
            properties = node.get("properties")
            for name, schema in properties.items() if isinstance(properties, dict) else ():
                if isinstance(schema, dict) and any(one.get("additionalProperties") for one in _forms(schema)):
                    yield name
            for child in node.values():
                yield from _free(child)
        case list():
            for child in node:
                yield from _free(child)


def _forms(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what a value may be: a member that may be null, or one of several, has each form by itself."""
    return [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]


def _media_type(start: Message) -> str:
    return Headers(raw=start["headers"]).get("content-type", "").split(";")[0].strip()


def _is_document(start: Message) -> bool:
    return _media_type(start) in {JSON, PROBLEM_JSON} and "content-disposition" not in Headers(raw=start["headers"])
