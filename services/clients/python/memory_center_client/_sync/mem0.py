# Made from _async by generate.py.
"""mem0's classes with Memory Center behind them: the same calls, and what is forgotten is erased everywhere."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from memory_center_client._sync.client import MemoryCenter
from memory_center_client._sync.mem0_calls import Mem0Calls
from memory_center_client.errors import NotFound
from memory_center_client.mem0_forms import NoSuchCall, Refused, unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import httpx2

URL: Final = "MEMORY_CENTER_URL"
TOKEN: Final = "MEMORY_CENTER_TOKEN"  # noqa: S105 # the name of a variable
LOCAL: Final = "http://127.0.0.1:8765"
LEARNING_SECONDS: Final = 10.0
"""How long `Memory.add` waits for what is learned."""
LOOK_SECONDS: Final = 0.1


class Mem0:
    """What both of mem0's classes have."""

    def __init__(self, url: str | None, token: str | None, transport: httpx2.BaseTransport | None) -> None:
        key = token or os.environ.get(TOKEN)
        if not key:
            raise Refused(401, "credentials_missing", f"A person's token or the service key is needed: {TOKEN}.")
        self._center = MemoryCenter(url or os.environ.get(URL) or LOCAL, key, transport=transport)
        self._calls = Mem0Calls(self._center, key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._center.close()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NoSuchCall(501, "mem0_unsupported", f"Not supported here: {name}.")

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return what a memory was before, and is now."""
        return self._calls.history(memory_id)

    def delete(self, memory_id: str, **more: Any) -> dict[str, Any]:
        """Forget a memory; the answer names the operation and its receipt too."""
        _nothing_of(more)
        return self._calls.delete(memory_id)


class MemoryClient(Mem0):
    """mem0's `AsyncMemoryClient`.

    Args:
        api_key: a person's token, or the service key; default: MEMORY_CENTER_TOKEN.
        host: the address of Memory Center; default: MEMORY_CENTER_URL, or this machine.
        org_id, project_id: change nothing.
        transport: how requests are sent; default: over the network.
    """

    def __init__(
        self,
        api_key: str | None = None,
        host: str | None = None,
        org_id: str | None = None,  # noqa: ARG002 # mem0's
        project_id: str | None = None,  # noqa: ARG002 # mem0's
        *,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        super().__init__(host, api_key, transport)

    def add(self, messages: Any, options: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Record messages, which are learned from in the background."""
        return self._calls.add({**(options or {}), **more, "messages": messages})

    def search(self, query: str, options: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Return memories by meaning, best first."""
        return self._calls.search({**(options or {}), **more, "query": query})

    def get_all(self, options: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Return a page of memories, newest first."""
        return self._calls.page({**(options or {}), **more}, {})

    def get(self, memory_id: str) -> dict[str, Any]:
        """Return a memory.

        Raises:
            NotFound: there is none.
        """
        return self._calls.get(memory_id)

    def update(self, memory_id: str, options: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Change a memory."""
        return self._calls.update(memory_id, {**(options or {}), **more})

    def delete_all(self, options: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Forget memories with some metadata, a run, or everything about a person; without a filter nothing."""
        return self._calls.delete_all({**(options or {}), **more})

    def feedback(
        self, memory_id: str, feedback: str | None = None, feedback_reason: str | None = None, **more: Any
    ) -> dict[str, Any]:
        """Record what a person thinks of a memory: `POSITIVE`, `NEGATIVE` or `VERY_NEGATIVE`."""
        said = {"memory_id": memory_id, "feedback": feedback, "feedback_reason": feedback_reason}
        return self._calls.feedback({**said, **more})

    def batch_update(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Change several memories."""
        return self._calls.update_batch({"memories": [*memories]})

    def batch_delete(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Forget several memories; all must be there."""
        return self._calls.delete_batch({"memories": [*memories]})


class Memory(Mem0):
    """mem0's `AsyncMemory`, the open-source library's class.

    Args:
        url: the address of Memory Center; default: MEMORY_CENTER_URL, or this machine.
        token: a person's, or the service key; default: MEMORY_CENTER_TOKEN.
        transport: how requests are sent; default: over the network.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        super().__init__(url, token, transport)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Return one for `{"memory_center": {"url": …, "token": …}}`.

        Raises:
            Refused: 501: it configures stores or models, which Memory Center has of its own.
        """
        if others := sorted(set(config) - {"memory_center", "version"}):
            raise unsupported(f"the configuration of {', '.join(others)}")
        return cls(**config.get("memory_center", {}))

    def add(self, messages: Any, **more: Any) -> dict[str, Any]:
        """Record messages, wait at most 10 s, and return what was learned from them."""
        added = self._calls.add({**more, "messages": messages})
        if "event_id" not in added:
            return {"results": added["results"]}
        deadline = time.monotonic() + LEARNING_SECONDS
        results: dict[str, Any] = {}
        for one in added.get("event_ids", [added["event_id"]]):
            event = self._calls.event(one)
            while event["status"] == "PENDING" and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
                event = self._calls.event(one)
            results.update((found["id"], found) for found in event["results"])  # two messages may have taught one
        return {"results": [*results.values()]}

    def search(self, query: str, **more: Any) -> dict[str, Any]:
        """Return memories by meaning, best first."""
        return self._calls.search({**more, "query": query})

    def get_all(self, **more: Any) -> dict[str, Any]:
        """Return memories, newest first."""
        return {"results": (self._calls.page(more, {}))["results"]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """Return a memory; None if there is none."""
        try:
            return self._calls.get(memory_id)
        except NotFound:
            return None

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        data: str | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Change a memory."""
        _nothing_of(more)
        self._calls.update(memory_id, {"text": data if text is None else text, "metadata": metadata})
        return {"message": "Memory updated successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, Any]:
        """Forget the memories of an agent, a run, or everything about a person; without a filter nothing."""
        return self._calls.delete_all({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})


def _nothing_of(more: Mapping[str, Any]) -> None:
    if given := sorted(name for name, value in more.items() if value not in (None, False)):
        raise unsupported(", ".join(given))
