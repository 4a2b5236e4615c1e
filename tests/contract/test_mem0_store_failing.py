"""What mem0's store says when its server fails, and how soon."""

from __future__ import annotations

import time
from uuid import UUID

import pytest

from shared.stores.mem0 import Mem0Store
from shared.stores.port import ErasureTarget, StoreUnavailable
from tests.contract.conftest import RecordingLock
from tests.support.mem0_stores import WordEmbedder, ignored, nearest
from tests.support.milvus_servers import LiteServer, wait_until


def test_a_frozen_server_is_reported_within_one_timeout_even_while_writing(
    own_lite: LiteServer, lock: RecordingLock, namespace: UUID
) -> None:
    store = Mem0Store(
        own_lite.uri,
        flavour="lite",
        lock=lock,
        visible=set,
        embedder=WordEmbedder(),
        timeout=1,
    )
    store.ensure()
    key = store.remember(namespace, "likes tea", announce=ignored)[0].key
    target = ErasureTarget(namespace=namespace, keys=(key,))

    def freeze(_items: object, _kind: str, _links: object) -> None:
        own_lite.freeze()

    try:
        for call in (
            lambda: store.remember(namespace, "tea", announce=freeze),
            lambda: store.remember(namespace, "more", announce=ignored),
            lambda: nearest(store, namespace, "tea", limit=3),
            lambda: store.erase([target]),
            lambda: store.residue([target])[0],
        ):
            started = time.monotonic()
            with pytest.raises(StoreUnavailable):
                call()
            assert time.monotonic() - started < 2
    finally:
        own_lite.thaw()

    wait_until(lambda: store.erase([target]) == [1], seconds=20, what="an erasure")
    assert store.residue([target])[0].total == 0
