"""Long-term memories in mem0, wired so that nothing is written unannounced, read while hidden, or kept aside."""

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
    History,
    NoHistory,
    NoLanguageModel,
    WiredEmbedder,
    WiredMemory,
    without_content,
)
from shared.stores.milvus_client import DEFAULT_TIMEOUT, Flavour, MilvusConnection, connect
from shared.stores.port import CollectionLock, ErasureTarget, Hit, Residue, VisibleKeys

__all__ = ["Announce", "Embedding", "History", "Mem0Store", "Mem0Write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Write:
    """A memory mem0 stored: its announced key and its wording."""

    key: UUID
    text: str


class Mem0Store:
    """One mem0 for the whole process, shared between threads.

    `visible` answers which memory keys may be read now. Every method raises `StoreUnavailable`, `StoreFailed` or
    `StoreMisconfigured`. What the caller's own functions raise (`visible`, `announce`) comes out unchanged, whatever
    mem0 makes of it. What to remember is decided before: mem0 has no language model.
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
        history: History | None = None,
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
            history=NoHistory(history),
        )

    def ensure(self) -> None:
        """Create both collections where missing and load them; repeatable, also by several processes at once."""
        self._memories.ensure(self.flavour)
        self._entities.ensure(self.flavour)

    def ping(self) -> None:
        """Return when Milvus answers."""
        self._milvus.version()

    def remember(self, namespace: UUID, text: str, *, announce: Announce) -> list[Mem0Write]:
        """Store `text` as it is. `announce` commits its key first; raise `FenceLost` when it refuses."""
        call, said = WriteCall(namespace, announce), [{"role": "user", "content": text}]
        with writing(call):
            added = self._call(call, lambda memory: memory.add(said, user_id=str(namespace), infer=False))
        return [Mem0Write(key=UUID(one["id"]), text=one["memory"]) for one in added["results"]]

    def search(self, namespace: UUID, query: str, *, limit: int) -> list[Hit]:
        """Return the `limit` best visible memories for the question, best first; scores are mem0's (0…1)."""
        if not query.strip():
            return []
        filters = {"user_id": str(namespace)}
        found = self._call(Call(), lambda memory: memory.search(query, top_k=limit, filters=filters, threshold=0.0))
        return [Hit(key=UUID(one["id"]), score=float(one["score"])) for one in found["results"]]

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete the memories and, with `search`, unlink them from entities; safe to repeat, in any process.

        An entity keeps its text only while a memory it links stays and contains that text. With `whole_namespace`
        every row of both collections goes. Return how many keys were asked to go, which says nothing about what
        was there.
        """
        memories = self._memories.erase(targets, search=search)
        entities = self._entities.erase(_of_entities(targets), search=search)
        if search:
            self._entities.unlink(_linked(targets), self._memories)
        return [len(keys | more) for keys, more in zip(memories, entities, strict=True)]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the memories and entity rows of the targets a strong read still finds.

        Without `search` entities are asked about links only where some were announced.
        """
        memories = self._memories.left(targets, search=search)
        entities = self._entities.left(_of_entities(targets), search=search)
        linked = self._entities.count_linked(_linked(targets, announced=not search), self._memories)
        return [
            Residue(found={"vectors": len(keys), "entities": len(rows) + count})
            for keys, rows, count in zip(memories, entities, linked, strict=True)
        ]

    def keys(self, namespace: UUID) -> set[UUID]:
        """Return every key the namespace knows, read strongly: memories, entities, and memories entities name."""
        known = self._memories.keys_of(namespace) | self._entities.keys_of(namespace)
        return {UUID(key) for key in known | self._entities.links_of(namespace)}

    def flush(self) -> None:
        """Write buffered rows to files; under the lock of every other change."""
        self._memories.flush()
        self._entities.flush()

    def _call(self, call: Call, act: Callable[[WiredMemory], Any]) -> Any:
        """Let mem0 act; raise what the call remembers first, because mem0 may have swallowed or rewrapped it."""
        try:
            answer = act(self._memory.asking(call))
        except Exception as error:  # noqa: BLE001 - mem0's messages quote what people wrote: none may pass
            failure: Exception | None = call.failure or without_content(error)
        else:
            failure = call.failure
        if failure is not None:
            raise failure  # outside the handler: nothing of mem0's becomes its context
        return answer


def _of_entities(targets: Sequence[ErasureTarget]) -> list[ErasureTarget]:
    """Return what of the targets are entities themselves: no key of a memory is ever one of an entity."""
    return [
        ErasureTarget(namespace=target.namespace, keys=target.entity_keys, whole_namespace=target.whole_namespace)
        for target in targets
    ]


def _linked(targets: Sequence[ErasureTarget], *, announced: bool = False) -> list[ErasureTarget]:
    """Return the targets with nothing in the place of those whose keys no entity that stays can name.

    With `announced` these are also those in whose namespace no entity was ever announced.
    """
    return [
        ErasureTarget(namespace=target.namespace)
        if target.whole_namespace or (announced and not target.entities)
        else target
        for target in targets
    ]
