"""Builds mem0's `Memory` from our parts, so that it keeps, sends and logs nothing of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from types import SimpleNamespace
from typing import Any, Protocol, Self

from shared.stores.mem0_calls import Call
from shared.stores.mem0_entities import EntityVectorStore
from shared.stores.mem0_library import Memory
from shared.stores.mem0_vectors import DIMENSIONS, Mem0VectorStore
from shared.stores.port import StoreFailed, StoreMisconfigured, StoreUnavailable


class Embedding(Protocol):
    """The embedder interface mem0 needs (see `shared.language.embedding.bundled.Embedder`)."""

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed stored texts, one vector each, in order."""

    def query(self, text: str) -> list[float]:
        """Embed one query."""


class NoHistory:
    """Stores nothing. It replaces mem0's SQLite history, which would keep erased texts."""

    def get_last_messages(self, session_scope: str, limit: int = 10) -> list[dict[str, str]]:
        """Return an empty list."""
        del session_scope, limit
        return []

    def get_history(self, _memory_id: str) -> list[dict[str, Any]]:
        """Return an empty list."""
        return []

    def save_messages(self, messages: object, session_scope: object) -> None:
        """Do nothing."""

    def add_history(self, *_args: object, **_kwargs: object) -> None:
        """Do nothing."""

    def batch_add_history(self, records: object) -> None:
        """Do nothing."""

    def reset(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class WiredMemory(Memory):  # type: ignore[misc]  # mem0 is untyped
    """mem0's `Memory` with our parts; its own constructor would open SQLite, a vector store and telemetry."""

    def __init__(
        self,
        *,
        vectors: Mem0VectorStore,
        entities: EntityVectorStore,
        embedder: WiredEmbedder,
        llm: object,
        history: NoHistory,
    ) -> None:
        self.config = SimpleNamespace(llm=SimpleNamespace(config={}))  # mem0 only reads `enable_vision` from it
        self.embedding_model = embedder
        self.vector_store = vectors
        self._entity_store = entities
        self.llm = llm
        self.db = history
        self.reranker = None
        self.collection_name = vectors.collection_name
        self.api_version = "v1.1"
        self.custom_instructions = None

    def asking(self, call: Call) -> Self:
        """Return a copy for one call that records exceptions of the caller's functions.

        A copy, not a context variable, because mem0 searches entities in its own threads.
        """
        bound = copy(self)
        bound.vector_store = self.vector_store.asking(call)
        bound._entity_store = self._entity_store.asking(call)  # noqa: SLF001 - of the same class
        bound.embedding_model = self.embedding_model.asking(call)
        return bound

    def reset(self) -> None:
        """Refuse, because mem0 would drop the collections and open SQLite."""
        raise StoreMisconfigured("mem0", "mem0 is never reset")


class WiredEmbedder:
    """Adapts our embedder to mem0's interface."""

    def __init__(self, embedder: Embedding) -> None:
        self._embedder = embedder
        self._known: Mapping[str, Sequence[float]] = {}
        self.config = SimpleNamespace(embedding_dims=DIMENSIONS)

    def asking(self, call: Call) -> WiredEmbedder:
        """Return a copy for one call that records its exceptions and uses the vectors it brings."""
        bound = copy(self)
        bound._known = call.vectors  # noqa: SLF001 - of the same class
        bound.embed = call.asking(bound.embed)  # type: ignore[method-assign]
        bound.embed_batch = call.asking(bound.embed_batch)  # type: ignore[method-assign]
        return bound

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Embed a query for "search", otherwise a passage."""
        if memory_action == "search":
            return self._embedder.query(text)
        return list(self._known[text]) if text in self._known else self._embedder.passages([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """Embed several texts in the same way."""
        if memory_action == "search":
            return [self._embedder.query(text) for text in texts]
        return self._embedder.passages(texts)


class NoLanguageModel:
    """Refuses every call: what to remember is decided before mem0 is called, and mem0 sends nothing anywhere."""

    def generate_response(self, *_args: object, **_kwargs: object) -> str:
        """Raise `StoreMisconfigured`."""
        raise StoreMisconfigured("mem0", "mem0 has no language model")


def without_content(error: Exception) -> Exception:
    """Return the port's error for an exception of mem0."""
    if isinstance(error, StoreUnavailable | StoreMisconfigured):
        return error
    return StoreFailed("mem0", type(error).__name__)
