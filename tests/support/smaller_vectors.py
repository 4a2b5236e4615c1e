"""A Milvus as an installation with another embedder would have left it: its vectors have other dimensions than ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

import pytest

from shared.stores import mem0_vectors, milvus
from shared.stores.mem0_collections import MEMORIES
from shared.stores.mem0_vectors import Mem0VectorStore
from shared.stores.milvus import COLLECTION, EpisodeStore
from shared.stores.milvus_client import MilvusConnection, connect

DIMENSIONS: Final = 8


def fill_with_smaller_vectors(uri: str, namespace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the collections of episodes and memories with shorter vectors, and a row of one person in each."""
    connection: MilvusConnection = connect(uri, timeout=15)
    lock: Callable[[str], Any] = lambda _: nullcontext()  # noqa: E731
    with monkeypatch.context() as changed:
        for module in (milvus, mem0_vectors):
            changed.setattr(module, "DIMENSIONS", DIMENSIONS)
        EpisodeStore(connection, flavour="lite", lock=lock).ensure()
        Mem0VectorStore(connection, lock=lock, visible=set).ensure("lite")
    vector, ids = [1.0] * DIMENSIONS, {"conversation_id": "c", "episode_id": "e", "message_ids": ["m"]}
    connection.insert(COLLECTION, [{"pk": "1", "namespace": namespace, **ids, "vector": vector}])
    row = {"id": "1", "user_id": namespace, "vectors": vector, "metadata": {}, "text": "tea"}
    connection.insert(MEMORIES.alias, [row])
    connection.close()
