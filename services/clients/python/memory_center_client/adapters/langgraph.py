"""LangGraph's long-term store, and LangChain's chat history.

A checkpointer is not here: its bytes are a program's state, not memory of a person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from memory_center_client.adapters import keyed
from memory_center_client.adapters.spoken import Joined, pieces
from memory_center_client.batches import batches

if TYPE_CHECKING:
    from memory_center_client import MemoryCenter

ROOT: Final = "memories"
SEARCHED_MAX: Final = 50
_TEXTS: Final = ("content", "text", "memory")
"""The member of a value that is its text: the first of these that it has."""
_TEXT: Final = "_text"
"""Where metadata keeps the name of that member, unless it is the first."""
_ITEM: Final = "langchain"


class MemoryStore(BaseStore):
    """A person's memories as a store: namespace `("memories", user_id)`, one memory an item.

    A value is flat: `content` (or `text`, `memory`) is the text, the rest its metadata. Items without a key of
    their own, like those learned from conversations, have their id as key.

    Args:
        center: of the person, or with a service key for whomever a namespace names.
    """

    def __init__(self, center: MemoryCenter) -> None:
        self._center = center

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._done(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _done(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            memory = keyed.shown(self._of(op.namespace), op.key)
            return Item(**_item(memory, op.namespace)) if memory else None
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            raise NotImplementedError("one namespace is one person; people are not listed")
        raise NotImplementedError(type(op).__name__)

    def _put(self, op: PutOp) -> None:
        center = self._of(op.namespace)
        if op.value is None:
            keyed.forget(center, op.key)
            return
        if op.index is not None or op.ttl is not None:
            raise NotImplementedError("index and ttl: all of a memory is searched, and it stays until it is forgotten")
        text, metadata = _parts(op.value)
        keyed.put(center, op.key, text, metadata or None)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        center, end = self._of(op.namespace_prefix), op.offset + op.limit
        wanted = _filter(op.filter or {})
        if not op.query:
            found: list[Any] = []
            for memory in keyed.current(center, metadata=wanted or None):
                if len(found) == end:
                    break
                found.append(memory)
        else:
            if end > SEARCHED_MAX:
                raise ValueError(f"a search gives at most {SEARCHED_MAX} items")
            answer = center.search(op.query, limit=end, metadata=wanted or None)
            found = [one for one in answer["items"] if one["kind"] == "memory"]
        return [SearchItem(**_item(one, op.namespace_prefix), score=one.get("score")) for one in found[op.offset :]]

    def _of(self, namespace: tuple[str, ...]) -> MemoryCenter:
        if namespace[:1] != (ROOT,) or len(namespace[1:]) != 1 or not namespace[1]:
            raise InvalidNamespaceError(f'a namespace is ("{ROOT}", user_id)')
        return self._center.for_user(namespace[1])


class ChatHistory(BaseChatMessageHistory):
    """A conversation as LangChain's chat history. Texts are learned from; all else is kept as it is, and is not.

    Args:
        conversation_id: default: a new one, with the first message.
    """

    def __init__(self, center: MemoryCenter, conversation_id: str | None = None) -> None:
        self._center = center
        self.conversation_id = conversation_id

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        if self.conversation_id is None:
            return []
        joined = Joined(_ITEM)
        newest_first = [joined.whole(one) for one in self._center.messages.list(self.conversation_id)]
        return [found for one in reversed(newest_first) for found in _messages(*one)]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        if self.conversation_id is None:
            self.conversation_id = self._center.conversations.create()
        for some in batches([recorded for one in messages for recorded in _recorded(one)]):
            self._center.messages.record(self.conversation_id, some)

    def clear(self) -> None:
        """Forget the conversation, and what was learned from it."""
        if self.conversation_id is not None:
            self._center.conversations.delete(self.conversation_id)
            self.conversation_id = None


def _parts(value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    name = next((one for one in _TEXTS if isinstance(value.get(one), str)), None)
    if name is None:
        raise ValueError(f"a value needs a text: one of {', '.join(_TEXTS)}")
    metadata = {key: one for key, one in value.items() if key != name}
    for key, one in metadata.items():
        if key == _TEXT:
            raise ValueError(f"{_TEXT} says here which member is the text")
        if not isinstance(one, str | bool | int | float):
            raise ValueError(f"{key}: a memory keeps texts, numbers and booleans")  # noqa: TRY004 # as for the others
    return str(value[name]), metadata if name == _TEXTS[0] else {**metadata, _TEXT: name}


def _item(memory: Any, namespace: tuple[str, ...]) -> dict[str, Any]:
    metadata = dict(memory["metadata"] or {})
    name = metadata.pop(_TEXT, _TEXTS[0])
    return {
        "namespace": namespace,
        "key": keyed.key_of(memory),
        "value": {**metadata, name: memory["content"]},
        "created_at": datetime.fromisoformat(memory["created_at"]),
        "updated_at": datetime.fromisoformat(memory.get("updated_at") or memory["created_at"]),
    }


def _filter(wanted: Mapping[str, Any]) -> dict[str, Any]:
    if named := sorted(set(wanted) & set(_TEXTS)):
        raise NotImplementedError(f"{', '.join(named)}: a text is looked for by a query")
    found = {key: one["$eq"] if isinstance(one, dict) and set(one) == {"$eq"} else one for key, one in wanted.items()}
    for key, one in found.items():
        if not isinstance(one, str | bool | int | float):
            raise NotImplementedError(f"{key}: only equality is filtered by")
    return found


def _recorded(message: BaseMessage) -> list[Any]:
    role = {HumanMessage: "user", AIMessage: "assistant", SystemMessage: "system"}.get(type(message))
    plain = isinstance(message.content, str) and message.content.strip() and not getattr(message, "tool_calls", None)
    if role is None or not plain:
        return pieces(_ITEM, message_to_dict(message))
    return [{"role": role, "content": message.content}]


def _messages(kept: Any | None, recorded: Any | None) -> Iterator[BaseMessage]:
    if kept is not None:
        yield from messages_from_dict([kept])
    elif recorded is not None:
        known = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage, "tool": HumanMessage}
        yield known[recorded["role"]](content=recorded["content"], id=recorded["id"])
