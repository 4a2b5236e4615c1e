"""Long-term memories in mem0: writes are announced, reads return only visible rows, no copies are kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from shared.stores.mem0_calls import Announce, Call, WriteCall, writing
from shared.stores.mem0_entities import EntityVectorStore
from shared.stores.mem0_vectors import Mem0VectorStore
from shared.stores.mem0_wiring import (
    Embedding,
    NoHistory,
    NoLanguageModel,
    WiredEmbedder,
    WiredMemory,
    without_content,
)
from shared.stores.milvus_client import DEFAULT_TIMEOUT, Flavour, MilvusConnection, connect
from shared.stores.port import CollectionLock, ErasureTarget, Hit, Residue, VisibleKeys

__all__ = ["Announce", "Embedding", "Mem0Store", "Mem0Write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Write:
    """A memory mem0 stored: its announced key and its text."""

    key: UUID
    text: str


class Mem0Store:
    """One mem0 for the whole process, shared between threads.

    `visible` returns which memory keys may be read now. Every method raises `StoreUnavailable`, `StoreFailed` or
    `StoreMisconfigured`. Exceptions of the caller's functions (`visible`, `announce`) are raised unchanged, whatever
    mem0 does with them. What to remember is decided before: mem0 has no language model.
    """

    name = "mem0"

    def __init__(
        self,
        milvus: MilvusConnection | str,
        *,
        flavour: Flavour,
        lock: CollectionLock,
        visible: VisibleKeys,
        embedder: Embedding,
        timeout: float = DEFAULT_TIMEOUT,
        token: str = "",
    ) -> None:
        self._milvus = connect(milvus, token=token, timeout=timeout) if isinstance(milvus, str) else milvus
        self.flavour = flavour
        self._memories = Mem0VectorStore(self._milvus, lock=lock, visible=visible)
        self._entities = EntityVectorStore(self._milvus, lock=lock, visible=visible)
        self._memory = WiredMemory(
            vectors=self._memories,
            entities=self._entities,
            embedder=WiredEmbedder(embedder),
            llm=NoLanguageModel(),
            history=NoHistory(),
        )

    def ensure(self) -> None:
        """Create and load both collections if missing; safe to repeat, also from several processes at once."""
        self._memories.ensure(self.flavour)
        self._entities.ensure(self.flavour)

    def ping(self) -> None:
        """Return once Milvus answers."""
        self._milvus.version()

    def remember(
        self, namespace: UUID, text: str, *, announce: Announce, vector: Sequence[float] | None = None
    ) -> list[Mem0Write]:
        """Store `text` unchanged. `announce` commits its key first; if it refuses, `FenceLost` is raised.

        Args:
            vector: the text's, if the caller has embedded it already.
        """
        known = {} if vector is None else {text: vector}
        call, said = WriteCall(namespace, announce, vectors=known), [{"role": "user", "content": text}]
        with writing(call):
            added = self._call(call, lambda memory: memory.add(said, user_id=str(namespace), infer=False))
        return [Mem0Write(key=UUID(one["id"]), text=one["memory"]) for one in added["results"]]

    def nearest(self, namespace: UUID, vector: Sequence[float], *, limit: int) -> list[Hit]:
        """Return the `limit` visible memories nearest to a vector, also those another worker has just written, best
        first; scores are cosines (-1…1).
        """
        found = self._memories.search("", vector, limit, {"user_id": str(namespace)})
        return [Hit(key=UUID(one.id), score=float(one.score or 0.0)) for one in found]

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete the memories and, with `search`, unlink them from entities; safe to repeat, in any process.

        An entity keeps its text only while a remaining memory linked to it contains that text. With `whole_namespace`
        every row of both collections is deleted. Return the number of keys requested for deletion, whether they existed
        or not.
        """
        memories = self._memories.erase(targets, search=search)
        entities = self._entities.erase(_of_entities(targets), search=search)
        if search:
            self._entities.unlink(_linked(targets), self._memories)
        return [len(keys | more) for keys, more in zip(memories, entities, strict=True)]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the memories and entity rows of the targets that a strong read still finds.

        Without `search`, entity links are only checked in namespaces where an entity was announced.
        """
        memories = self._memories.left(targets, search=search)
        entities = self._entities.left(_of_entities(targets), search=search)
        linked = self._entities.count_linked(_linked(targets, announced=not search), self._memories)
        return [
            Residue(found={"vectors": len(keys), "entities": len(rows) + count})
            for keys, rows, count in zip(memories, entities, linked, strict=True)
        ]

    def keys(self, namespace: UUID) -> set[UUID]:
        """Return every key in the namespace by a strong read: memories, entities, and memories that entities link
        to.
        """
        known = self._memories.keys_of(namespace) | self._entities.keys_of(namespace)
        return {UUID(key) for key in known | self._entities.links_of(namespace)}

    def _call(self, call: Call, act: Callable[[WiredMemory], Any]) -> Any:
        """Run mem0; a failure recorded by the call is raised first, because mem0 may swallow or wrap it."""
        try:
            answer = act(self._memory.asking(call))
        except Exception as error:  # noqa: BLE001 - mem0's messages quote people's texts: none may pass
            failure: Exception | None = call.failure or without_content(error)
        else:
            failure = call.failure
        if failure is not None:
            raise failure  # outside the handler, so that mem0's exception is not its context
        return answer


def _of_entities(targets: Sequence[ErasureTarget]) -> list[ErasureTarget]:
    """Return the entity part of the targets: memory keys and entity keys never overlap."""
    return [
        ErasureTarget(namespace=target.namespace, keys=target.entity_keys, whole_namespace=target.whole_namespace)
        for target in targets
    ]


def _linked(targets: Sequence[ErasureTarget], *, announced: bool = False) -> list[ErasureTarget]:
    """Return the targets, without keys where no remaining entity can link to them.

    This holds for whole namespaces and, with `announced`, for namespaces without announced entities.
    """
    return [
        ErasureTarget(namespace=target.namespace)
        if target.whole_namespace or (announced and not target.entities)
        else target
        for target in targets
    ]
