"""Long-term memories in mem0, wired so that nothing is written unannounced, read while hidden, or kept aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias
from uuid import UUID

import openai

from shared.stores.mem0_entities import EntityVectorStore
from shared.stores.mem0_library import LLMError, Memory, OpenAIConfig, OpenAILLM
from shared.stores.mem0_vectors import DIMENSIONS, Announce, Mem0VectorStore, WriteCall, current_call, writing
from shared.stores.milvus_client import DEFAULT_TIMEOUT, Flavour, MilvusConnection, connect
from shared.stores.port import (
    CollectionLock,
    ErasureTarget,
    Hit,
    Residue,
    StoreMisconfigured,
    StoreUnavailable,
    VisibleKeys,
)

Message: TypeAlias = Mapping[str, str]
"""A message as mem0 reads it: `role` and `content`."""

History: TypeAlias = Callable[[str], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """An OpenAI-compatible endpoint; `timeout` in seconds bounds one extraction."""

    base_url: str
    model: str
    api_key: str
    timeout: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Write:
    """A memory mem0 stored: its announced key and its wording."""

    key: UUID
    text: str


class Embedding(Protocol):
    """What mem0 needs of an embedder (see `shared.models.embedder.Embedder`)."""

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed stored texts, one vector each, in order."""

    def query(self, text: str) -> list[float]:
        """Embed one question."""


class Mem0Store:
    """One mem0 for the whole process, shared between threads.

    `visible` answers which memory keys may be read now. Every method raises `StoreUnavailable` or
    `StoreMisconfigured`; those named "mem0-llm" speak of the language model.
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
        llm: LanguageModel | None = None,
        history: History | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        token: str = "",
    ) -> None:
        self._milvus = connect(milvus, token=token, timeout=timeout) if isinstance(milvus, str) else milvus
        self.flavour = flavour
        self._memories = Mem0VectorStore(self._milvus, lock=lock, visible=visible)
        self._entities = EntityVectorStore(self._milvus, lock=lock, visible=visible)
        self._memory = _WiredMemory(
            vectors=self._memories,
            entities=self._entities,
            embedder=_Embedder(embedder),
            llm=_NoLanguageModel() if llm is None else _language_model(llm),
            history=NoHistory(history),
        )
        self._learns = llm is not None

    def ensure(self) -> None:
        """Create both collections where missing and load them; repeatable, also by several processes at once."""
        self._memories.ensure(self.flavour)
        self._entities.ensure(self.flavour)

    def ping(self) -> None:
        """Return when Milvus answers."""
        self._milvus.version()

    def remember(self, namespace: UUID, text: str, *, announce: Announce) -> list[Mem0Write]:
        """Store `text` as it is. `announce` commits its key first; raise `FenceLost` when it refuses."""
        return self._add(WriteCall(namespace, announce), [{"role": "user", "content": text}], infer=False)

    def learn(
        self,
        namespace: UUID,
        messages: Sequence[Message],
        *,
        announce: Announce,
        recent_messages: Sequence[Message] | Callable[[], Sequence[Message]] = (),
    ) -> list[Mem0Write]:
        """Let the language model extract memories from `messages` and store them.

        The prompt holds `messages`, `recent_messages` (what was said before, visible only: the caller's duty)
        and visible memories. `announce` is asked before each write and never again once it refused. An
        error after the first write leaves announced rows behind, which erasing their keys removes.
        """
        if not self._learns:
            raise StoreMisconfigured(self.name, "learning needs a language model")
        recent = recent_messages() if callable(recent_messages) else recent_messages
        return self._add(WriteCall(namespace, announce, tuple(recent)), [dict(one) for one in messages], infer=True)

    def search(self, namespace: UUID, query: str, *, limit: int) -> list[Hit]:
        """Return the `limit` best visible memories for the question, best first; scores are mem0's (0…1)."""
        if not query.strip():
            return []
        try:
            found = self._memory.search(query, top_k=limit, filters={"user_id": str(namespace)}, threshold=0.0)
        except Exception as error:  # noqa: BLE001 - as in `_add`
            raise _without_content(error) from None
        return [Hit(key=UUID(one["id"]), score=float(one["score"])) for one in found["results"]]

    def erase(self, target: ErasureTarget) -> int:
        """Delete the memories and unlink them from entities; safe to repeat, in any process.

        An entity keeps its text only while a memory that stays supports it. With `whole_namespace` every row of
        both collections goes. Return how many keys were asked to go, which says nothing about what was there.
        """
        keys = {str(key) for key in target.keys}
        if target.whole_namespace:
            keys |= self._memories.keys_of(target.namespace)
        self._memories.delete_keys(sorted(keys))
        if target.whole_namespace:
            entities = self._entities.keys_of(target.namespace)
            self._entities.delete_keys(sorted(entities | keys))
            return len(keys | entities)
        self._entities.unlink(target.namespace, keys, self._memories)
        return len(keys)

    def residue(self, target: ErasureTarget) -> Residue:
        """Count the memories and entity rows of the target a strong read still finds."""
        keys = {str(key) for key in target.keys}
        vectors = self._memories.existing(sorted(keys))
        if not target.whole_namespace:
            entities = self._entities.count_linked(target.namespace, keys, self._memories)
            return Residue(found={"vectors": len(vectors), "entities": entities})
        vectors |= self._memories.keys_of(target.namespace)
        rows = self._entities.keys_of(target.namespace) | self._entities.existing(sorted(keys))
        return Residue(found={"vectors": len(vectors), "entities": len(rows)})

    def keys(self, namespace: UUID) -> set[UUID]:
        """Return every key the namespace knows, read strongly: memories, entities, and memories entities name."""
        known = self._memories.keys_of(namespace) | self._entities.keys_of(namespace)
        return {UUID(key) for key in known | self._entities.links_of(namespace)}

    def flush(self) -> None:
        """Write buffered rows to files; only the sweeper calls this (see the erasure protocol)."""
        self._memories.flush()
        self._entities.flush()

    def _add(self, call: WriteCall, messages: Sequence[Message], *, infer: bool) -> list[Mem0Write]:
        with writing(call):
            try:
                added = self._memory.add(list(messages), user_id=str(call.namespace), infer=infer)
            except Exception as error:  # noqa: BLE001 - mem0's messages quote what people wrote: none may pass
                raise call.failure or _without_content(error) from None
        if call.failure is not None:
            raise call.failure  # mem0 swallowed it
        return [Mem0Write(key=UUID(one["id"]), text=one["memory"]) for one in added["results"]]


class NoHistory:
    """Stands where mem0 keeps SQLite: stores nothing, answers from visible rows."""

    def __init__(self, history: History | None = None) -> None:
        self._history = history

    def get_last_messages(self, session_scope: str, limit: int = 10) -> list[dict[str, str]]:
        """Return the last `limit` messages the running call may show the model."""
        del session_scope
        return [dict(message) for message in current_call().recent_messages[-limit:]]

    def get_history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return the history somebody else keeps, or none."""
        return self._history(memory_id) if self._history else []

    def save_messages(self, messages: object, session_scope: object) -> None:
        """Keep nothing."""

    def add_history(self, *_args: object, **_kwargs: object) -> None:
        """Keep nothing."""

    def batch_add_history(self, records: object) -> None:
        """Keep nothing."""

    def reset(self) -> None:
        """Have nothing to reset."""

    def close(self) -> None:
        """Have nothing to close."""


class _WiredMemory(Memory):  # type: ignore[misc]  # mem0 is untyped
    """mem0's `Memory` with our parts: its constructor would open SQLite, a vector store and telemetry."""

    def __init__(
        self,
        *,
        vectors: Mem0VectorStore,
        entities: EntityVectorStore,
        embedder: object,
        llm: object,
        history: NoHistory,
    ) -> None:
        self.config = SimpleNamespace(llm=SimpleNamespace(config={}))  # mem0 asks it for `enable_vision` only
        self.embedding_model = embedder
        self.vector_store = vectors
        self._entity_store = entities
        self.llm = llm
        self.db = history
        self.reranker = None
        self.collection_name = vectors.collection_name
        self.api_version = "v1.1"
        self.custom_instructions = None

    def reset(self) -> None:
        """Refuse: mem0 would drop the collections and open SQLite."""
        raise StoreMisconfigured("mem0", "mem0 is never reset")


class _Embedder:
    """Our embedder as mem0 calls one."""

    def __init__(self, embedder: Embedding) -> None:
        self._embedder = embedder
        self.config = SimpleNamespace(embedding_dims=DIMENSIONS)

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Embed a question for "search", a passage otherwise."""
        return self._embedder.query(text) if memory_action == "search" else self._embedder.passages([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """Embed several texts alike."""
        if memory_action == "search":
            return [self._embedder.query(text) for text in texts]
        return self._embedder.passages(texts)


class _NoLanguageModel:
    """Refuses: nothing may be sent anywhere unless an operator named an endpoint."""

    def generate_response(self, *_args: object, **_kwargs: object) -> str:
        """Raise `StoreMisconfigured`."""
        raise StoreMisconfigured("mem0", "no language model is configured")


def _language_model(llm: LanguageModel) -> OpenAILLM:
    model = OpenAILLM(OpenAIConfig(model=llm.model, api_key=llm.api_key, openai_base_url=llm.base_url))
    # mem0's own client waits ten minutes, retries, and follows OPENROUTER_API_KEY to somebody else's server.
    model.client = openai.OpenAI(base_url=llm.base_url, api_key=llm.api_key, timeout=llm.timeout, max_retries=0)
    return model


def _without_content(error: Exception) -> Exception:
    """Return the port's error for one that came out of mem0."""
    if isinstance(error, StoreUnavailable | StoreMisconfigured):
        return error
    if isinstance(error, LLMError):
        cause = error.__cause__
        refused = isinstance(cause, openai.APIStatusError) and cause.status_code in {400, 401, 403, 404, 422}
        if refused:
            return StoreMisconfigured("mem0-llm", "the language model's endpoint rejects the request")
        return StoreUnavailable("mem0-llm")
    return StoreMisconfigured("mem0", f"mem0 failed with {type(error).__name__}")
