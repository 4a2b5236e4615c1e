"""mem0's two collections, and the search recall uses. mem0 itself, which takes 50 MiB, is not imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.stores.mem0_calls import Kind
from shared.stores.milvus_client import DEFAULT_TIMEOUT, connect
from shared.stores.port import Hit


@dataclass(frozen=True, slots=True)
class Mem0Collection:
    """One of mem0's two collections: its alias (also the name of its lock), physical name and kind."""

    alias: str
    physical: str
    kind: Kind


MEMORIES = Mem0Collection("mem0_memories", "mem0_memories_v1", "memory")
ENTITIES = Mem0Collection("mem0_entities", "mem0_entities_v1", "entity")


class NearestMemories:
    """Read-only vector search over mem0's memories.

    It does not call mem0, which would embed the query again and run three searches.
    """

    def __init__(self, uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> None:
        self._milvus = connect(uri, token=token, timeout=timeout)

    def nearest(
        self, namespace: UUID, vector: Sequence[float], *, limit: int, among: Sequence[UUID] | None = None
    ) -> list[Hit]:
        """Return the `limit` nearest memories, hidden ones too, best first; score is the cosine (-1…1).

        Args:
            among: the only keys that may be returned.
        """
        if among is not None and not among:
            return []
        found = self._milvus.search(
            MEMORIES.alias,
            list(vector),
            vectors="vectors",
            where=in_namespace(namespace) if among is None else f"{in_namespace(namespace)} and {among_keys(among)}",
            fields=["id"],
            limit=limit,
            consistency="Session",
        )
        return [Hit(key=UUID(fields["id"]), score=score) for fields, score in found]


def among_keys(keys: Sequence[UUID]) -> str:
    """Return the filter for rows by key."""
    return "id in [" + ", ".join(f'"{key}"' for key in keys) + "]"


def in_namespace(namespace: UUID) -> str:
    """Return the filter for one person's rows."""
    return f'user_id == "{namespace}"'
