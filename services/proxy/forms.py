"""The two forms of request that get memory: chat completions, and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from services.proxy.answers import ChatWords, ResponseWords, Words
from services.proxy.injecting import input_of, response_with_memory, with_memory

CONTINUED: Final = ("previous_response_id", "conversation")
"""Members of a request that name what the upstream stored of earlier ones."""
REFERENCE: Final = "item_reference"
"""The type of an input that stands for something the upstream stored."""


class Form(Protocol):
    """How a request says what it says. Bodies are not changed."""

    words: type[Words]
    """Reads the answers."""

    def messages(self, body: Mapping[str, Any]) -> list[Any] | None:
        """Return what is said, oldest first; None if it is no such request."""

    def with_memory(self, body: Mapping[str, Any], prompt: str, stable_bytes: int) -> dict[str, Any]:
        """Return the body with a context in it."""

    def before(self, body: Mapping[str, Any]) -> list[Any]:
        """Return what stands for earlier messages that the upstream keeps itself."""


class _Chat:
    words: type[Words] = ChatWords

    def messages(self, body: Mapping[str, Any]) -> list[Any] | None:
        found = body.get("messages")
        return found if isinstance(found, list) else None

    def with_memory(self, body: Mapping[str, Any], prompt: str, stable_bytes: int) -> dict[str, Any]:
        return {**body, "messages": with_memory(body["messages"], prompt, stable_bytes)}

    def before(self, body: Mapping[str, Any]) -> list[Any]:
        del body
        return []


class _Responses:
    words: type[Words] = ResponseWords

    def messages(self, body: Mapping[str, Any]) -> list[Any] | None:
        return input_of(body)

    def with_memory(self, body: Mapping[str, Any], prompt: str, stable_bytes: int) -> dict[str, Any]:
        return response_with_memory(body, prompt, stable_bytes)

    def before(self, body: Mapping[str, Any]) -> list[Any]:
        named = {name: body[name] for name in CONTINUED if body.get(name)}
        return [named] if named else []


CHAT: Final[Form] = _Chat()
RESPONSES: Final[Form] = _Responses()
