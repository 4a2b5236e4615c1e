"""A session of the OpenAI Agents SDK: a conversation, which is learned from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Self

from agents.memory import SessionABC, SessionSettings

from memory_center_client.adapters.spoken import Joined, pieces
from memory_center_client.batches import batches

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from memory_center_client import AsyncMemoryCenter

_ITEM: Final = "openai-agents"
_ROLES: Final = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}
_TEXTS: Final = ("input_text", "output_text", "text")


class MemorySession(SessionABC):
    """A conversation. Texts are messages, and are learned from; all else is kept as it is, and is not.

    Args:
        session_id: the id of a conversation of the person.
    """

    session_settings: SessionSettings | None = None

    def __init__(self, center: AsyncMemoryCenter, session_id: str) -> None:
        self._center = center
        self.session_id = session_id

    @classmethod
    async def begin(cls, center: AsyncMemoryCenter, *, title: str | None = None) -> Self:
        """Begin a conversation, and return its session."""
        return cls(center, await center.conversations.create(title=title))

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items, oldest first; with a limit the newest ones."""
        found: list[TResponseInputItem] = []
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        joined = Joined(_ITEM)
        async for message in self._center.messages.list(self.session_id):
            if limit is not None and len(found) >= limit:
                break
            found += _items(*joined.whole(message))
        return found[::-1]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Record items."""
        for some in batches([message for one in items for message in _recorded(one)]):
            await self._center.messages.record(self.session_id, some)

    async def pop_item(self) -> TResponseInputItem | None:
        """Forget the newest item, and what was learned from it; return it."""
        joined = Joined(_ITEM)
        async for message in self._center.messages.list(self.session_id):
            await self._center.forget.message(message["id"])
            for found in _items(*joined.whole(message)):
                return found
        return None

    async def clear_session(self) -> None:
        """Forget the conversation, and what was learned from it; the session goes on with a new one."""
        await self._center.conversations.delete(self.session_id)
        self.session_id = await self._center.conversations.create()


def _recorded(found: Any) -> list[Any]:
    role = _ROLES.get(found.get("role", ""))
    text = _text(found.get("content"))
    if role is None or not text or found.get("type", "message") != "message":
        return pieces(_ITEM, found)
    return [{"role": role, "content": text}]


def _text(content: Any) -> str | None:
    """Return the text of a content that is nothing but text."""
    if isinstance(content, str):
        return content if content.strip() else None
    if not isinstance(content, list) or not all(isinstance(one, dict) and one.get("type") in _TEXTS for one in content):
        return None
    return "\n".join(one["text"] for one in content).strip() or None


def _items(kept: Any | None, message: Any | None) -> Iterator[TResponseInputItem]:
    if kept is not None:
        yield kept
    elif message is not None:
        yield {"role": "user" if message["role"] == "tool" else message["role"], "content": message["content"]}
