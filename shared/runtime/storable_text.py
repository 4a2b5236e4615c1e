"""Refuses text that no store can keep: NUL characters, and unpaired surrogates."""

from __future__ import annotations

import email.message
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn, TypeVar
from urllib.parse import unquote_to_bytes

from starlette.requests import Request

from shared.runtime.problems import (
    INVALID_TEXT,
    MALFORMED_JSON,
    MALFORMED_UTF8,
    NUL_CHARACTER,
    ApiProblem,
)

# Walking a parsed body is slow and few bodies contain these patterns, so only such bodies are walked.
_SUSPICIOUS: Final = re.compile(rb"\\u0000|\\u[dD][89a-fA-F]|NaN|Infinity|\d[eE]\+?\d{3,}\s*(?:[,\]}]|$)")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


Route = TypeVar("Route", bound=Callable[..., Any])


def streamed(route: Route) -> Route:
    """Mark a route that reads its body as a stream, and checks the content itself."""
    route.__dict__["streams_body"] = True
    return route


async def refuse_unstorable_text(request: Request) -> None:
    """Refuse a request whose path, query, headers or JSON body contain text that cannot be stored.

    A dependency of every route: it runs after the body was read and before anything uses it. Forms and uploads are not
    JSON: check their content with `refuse_unstorable_string`. Bodies of `streamed` routes are not read.

    Raises:
        ApiProblem: `nul_character`, `invalid_text`, or the body is not JSON in UTF-8 as RFC 8259 requires.
    """
    scope = request.scope
    in_headers = any(b"\x00" in value for _name, value in scope["headers"])
    if in_headers or "\x00" in scope["path"] or b"\x00" in unquote_to_bytes(scope["query_string"]):
        raise ApiProblem(NUL_CHARACTER)
    is_streamed = getattr(scope.get("endpoint"), "streams_body", False)
    if not is_streamed and _is_json(request.headers.get("content-type")):
        refuse_unstorable_json(await request.body())


def refuse_unstorable_json(body: bytes) -> None:
    """Refuse a JSON document that cannot be stored unchanged.

    Raises:
        ApiProblem: `malformed_utf8`, `malformed_json` (also for numbers that are not finite), `nul_character`,
            `invalid_text`.
    """
    try:
        text = body.decode("utf-8-sig")  # json.loads would accept UTF-16 and encoded surrogates
    except UnicodeDecodeError as error:
        raise ApiProblem(MALFORMED_UTF8) from error
    if "\x00" in text:
        raise ApiProblem(MALFORMED_UTF8)  # JSON never contains a raw NUL; this is UTF-16 or UTF-32
    if not _SUSPICIOUS.search(body):
        return
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ApiProblem(MALFORMED_JSON) from error
    for leaf in _leaves(document):
        if isinstance(leaf, str):
            refuse_unstorable_string(leaf)
        elif math.isinf(leaf):
            raise ApiProblem(MALFORMED_JSON)


def refuse_unstorable_string(text: str) -> None:
    """Refuse one string that cannot be stored.

    Raises:
        ApiProblem: `nul_character` or `invalid_text`.
    """
    if "\x00" in text:
        raise ApiProblem(NUL_CHARACTER)
    if _SURROGATE.search(text):
        raise ApiProblem(INVALID_TEXT)


def _is_json(content_type: str | None) -> bool:
    # Same rule as FastAPI's; otherwise FastAPI could parse a body as JSON that was not checked here.
    if not content_type:
        return False
    message = email.message.Message()
    message["content-type"] = content_type
    subtype = message.get_content_subtype()
    return message.get_content_maintype() == "application" and (subtype == "json" or subtype.endswith("+json"))


def _refuse_constant(_name: str) -> NoReturn:
    raise ApiProblem(MALFORMED_JSON)


def _leaves(document: Any) -> Iterator[str | float]:
    waiting = [document]  # an explicit stack, because nesting may exceed Python's recursion limit
    while waiting:
        node = waiting.pop()
        match node:
            case str() | float():
                yield node
            case dict():
                waiting.extend(node.keys())
                waiting.extend(node.values())
            case list():
                waiting.extend(node)
