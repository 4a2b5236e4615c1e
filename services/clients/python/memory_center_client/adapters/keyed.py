"""Memories as items with a key: what adapters share. A key is a memory's `external_id`, or its id where it has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from memory_center_client.errors import Conflict, NotFound

if TYPE_CHECKING:
    from memory_center_client import MemoryCenter
    from memory_center_client.options import Metadata

KEY_MAX = 200


def key_of(memory: Any) -> str:
    """Return the key of a memory, or of a search result."""
    return str(memory["external_id"] or memory["id"])


def may_read(center: MemoryCenter) -> bool:
    """Return whether the person lets assistants use their memories."""
    settings = center.settings.get()
    return settings["injection_enabled"] and settings["longterm_enabled"]


def current(center: MemoryCenter, *, metadata: Metadata | None = None) -> Iterator[Any]:
    """Yield the memories an assistant may be given, newest first."""
    if not may_read(center):
        return
    for memory in center.memories.list(metadata=metadata, disabled=False, archived=False, scope="global"):
        if memory["validity"] != "superseded":
            yield memory


def find(center: MemoryCenter, key: str) -> Any | None:
    """Return the memory in force with a key; None if there is none that assistants may have."""
    memory = _named(center, key)
    return None if memory is None or _is_withheld(memory) else memory


def _named(center: MemoryCenter, key: str) -> Any | None:
    """Return the memory in force with a key, also one that assistants may not have."""
    if not 0 < len(key) <= KEY_MAX:
        return None
    named = next(iter(center.memories.list(external_id=key, limit=1)), None)
    if named is not None:
        return named
    try:
        memory = center.memories.get(str(UUID(key)))
    except (ValueError, NotFound):
        return None
    return memory if memory["validity"] != "superseded" and memory["external_id"] is None else None


def shown(center: MemoryCenter, key: str) -> Any | None:
    """Return the memory with a key if an assistant may read it."""
    return find(center, key) if may_read(center) else None


def _is_withheld(memory: Any) -> bool:
    """Return whether the person paused or archived a memory, or it belongs to a project: an adapter names none."""
    return bool(memory["disabled"] or memory["archived"] or memory["scope"] != "global")


def put(center: MemoryCenter, key: str, content: str, metadata: Metadata | None) -> list[str]:
    """Write a memory under a key, in place of the one that has it; return the kinds of data that were not stored."""
    if not 0 < len(key) <= KEY_MAX:
        raise ValueError(f"a key has 1 to {KEY_MAX} characters")
    old = find(center, key)
    if old is None:
        try:
            return center.memories.create(content, external_id=key, metadata=metadata)["withheld"]
        except Conflict as refusal:
            old = find(center, key)  # somebody else was faster
            if refusal.code != "external_id_taken" or old is None:
                raise
    # A memory that had no key has it from now on: its next wording has another id.
    return center.memories.update(old["id"], content=content, metadata=metadata, external_id=key)["withheld"]


def forget(center: MemoryCenter, key: str) -> bool:
    """Forget the memory with a key, also one that is not shown; return whether there was one.

    Its older wordings go too.
    """
    old = _named(center, key)
    if old is None:
        return False
    center.memories.delete(old["id"])
    return True
