"""Puts what is remembered into a request: what rarely changes early, what the question found late.

Providers cache prompts by their beginning. The stable part of a context is the same as long as nothing changes, so it
goes to the end of the caller's own instructions; the rest goes behind the newest message of the user. What the caller
wrote before each place stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

INSTRUCTIONS: Final = ("system", "developer")
TEXTS: Final = ("text", "input_text", "output_text")
OPENING, CLOSING = "<memory>", "</memory>"
_TAG: Final = re.compile(r"<(\s*/?\s*memory\b)", re.IGNORECASE)


def question_of(messages: Sequence[Any]) -> str | None:
    """Return the words of the newest message of the user; None if there is none."""
    place = _newest(messages)
    return None if place is None else text_of(messages[place])


def place_of(messages: Sequence[Any]) -> int | None:
    """Return where the newest message of the user stands."""
    return _newest(messages)


def text_of(message: Any) -> str:
    """Return the words of a message, of all its text parts; none of what is no message."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [one.get("text") for one in content if isinstance(one, dict) and one.get("type") in TEXTS]
    return "\n".join(one for one in parts if isinstance(one, str))


def role_of(message: Any) -> str | None:
    """Return the role of a message; None if it has none."""
    role = message.get("role") if isinstance(message, dict) else None
    return role if isinstance(role, str) else None


def with_memory(messages: Sequence[Any], prompt: str, stable_bytes: int) -> list[Any]:
    """Return the messages with a context in them.

    Args:
        prompt: the context, of which the first `stable_bytes` bytes in UTF-8 are the stable part.
    """
    stable, found = _halves(prompt, stable_bytes)
    given = _with_found(messages, found, "text")
    if stable:
        leading = 0
        while leading < len(given) and role_of(given[leading]) in INSTRUCTIONS:
            leading += 1
        if leading:
            given[leading - 1] = _longer(given[leading - 1], stable)
        else:
            given.insert(0, {"role": "system", "content": stable})
    return given


def response_with_memory(body: Mapping[str, Any], prompt: str, stable_bytes: int) -> dict[str, Any]:
    """Return the body of a request for a response with a context in it; the arguments are those of `with_memory`."""
    stable, found = _halves(prompt, stable_bytes)
    changed = dict(body)
    if isinstance(said := body.get("input"), str):
        changed["input"] = f"{said}\n\n{found}" if found else said
    else:
        changed["input"] = _with_found(input_of(body) or [], found, "input_text")
    if stable:
        own = body.get("instructions")
        changed["instructions"] = f"{own}\n\n{stable}" if own else stable
    return changed


def input_of(body: Mapping[str, Any]) -> list[Any] | None:
    """Return what is said in a request for a response as messages; None if it says nothing we know."""
    said = body.get("input")
    if isinstance(said, str):
        return [{"role": "user", "content": said}]
    return said if isinstance(said, list) else None


def _halves(prompt: str, stable_bytes: int) -> tuple[str, str]:
    """Return the stable part of a context, and the rest in its element; empty where there is none."""
    raw = prompt.encode()
    stable, found = raw[:stable_bytes].decode().strip(), _enclosed(raw[stable_bytes:].decode().strip())
    return stable, f"{OPENING}\n{found}\n{CLOSING}" if found else ""


def _with_found(messages: Sequence[Any], found: str, kind: str) -> list[Any]:
    """Return the messages with a paragraph at the end of the newest one of the user."""
    given = list(messages)
    newest = _newest(given)
    if found and newest is not None:
        given[newest] = _longer(given[newest], found, kind)
    return given


def _enclosed(text: str) -> str:
    """Return a text that cannot close the element it stands in."""
    return _TAG.sub(r"&lt;\1", text)


def _longer(message: Mapping[str, Any], more: str, kind: str = "text") -> dict[str, Any]:
    """Return a message with a paragraph at its end; `kind` is the type of a part of its content."""
    changed = dict(message)
    content = changed.get("content")
    if isinstance(content, list):
        changed["content"] = [*content, {"type": kind, "text": more}]
    else:
        changed["content"] = f"{content}\n\n{more}" if content else more
    return changed


def _newest(messages: Sequence[Any]) -> int | None:
    return next((at for at in range(len(messages) - 1, -1, -1) if role_of(messages[at]) == "user"), None)
