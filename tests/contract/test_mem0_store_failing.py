"""What mem0's store says when its language model or its server fails, and how soon."""

from __future__ import annotations

import time
from uuid import UUID

import pytest

from shared.stores.mem0 import LanguageModel, Mem0Store
from shared.stores.port import ErasureTarget, StoreMisconfigured, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock, Visibility
from tests.support.mem0_stores import WordEmbedder, agreed, ignored
from tests.support.milvus_servers import LiteServer, wait_until
from tests.support.scripted_llm import ScriptedLlm


def test_without_a_language_model_nothing_is_learned(
    mem0_ready: RecordingLock, milvus: Milvus, lock: RecordingLock, visibility: Visibility, namespace: UUID
) -> None:
    store = Mem0Store(
        milvus.uri, token=milvus.token, flavour=milvus.flavour, lock=lock, visible=visibility, embedder=WordEmbedder()
    )

    with pytest.raises(StoreMisconfigured, match="language model"):
        store.learn(namespace, [{"role": "user", "content": "tea"}], announce=ignored, before_prompt=agreed)


@pytest.mark.parametrize(
    ("status", "expected"), [(500, StoreUnavailable), (429, StoreUnavailable), (401, StoreMisconfigured)]
)
def test_a_failing_language_model_is_told_apart_without_quoting_it(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, status: int, expected: type[Exception]
) -> None:
    llm.status = status

    with pytest.raises(expected, match="mem0-llm") as caught:
        mem0.learn(namespace, [{"role": "user", "content": "canary"}], announce=ignored, before_prompt=agreed)

    assert "scripted" not in str(caught.value)
    assert len(llm.prompts) == 1


def test_a_slow_language_model_ends_at_its_timeout(
    mem0_ready: RecordingLock, milvus: Milvus, lock: RecordingLock, namespace: UUID, llm: ScriptedLlm
) -> None:
    llm.delay = 3
    store = Mem0Store(
        milvus.uri,
        token=milvus.token,
        flavour=milvus.flavour,
        lock=lock,
        visible=set,
        embedder=WordEmbedder(),
        llm=LanguageModel(base_url=llm.base_url, model="scripted", api_key="key", timeout=0.5),
    )
    started = time.monotonic()

    with pytest.raises(StoreUnavailable, match="mem0-llm"):
        store.learn(namespace, [{"role": "user", "content": "tea"}], announce=ignored, before_prompt=agreed)

    assert time.monotonic() - started < 2


def test_a_frozen_server_is_reported_within_one_timeout_even_while_learning(
    own_lite: LiteServer, lock: RecordingLock, namespace: UUID, llm: ScriptedLlm
) -> None:
    store = Mem0Store(
        own_lite.uri,
        flavour="lite",
        lock=lock,
        visible=set,
        embedder=WordEmbedder(),
        timeout=1,
        llm=LanguageModel(base_url=llm.base_url, model="scripted", api_key="key"),
    )
    store.ensure()
    key = store.remember(namespace, "likes tea", announce=ignored)[0].key
    llm.will_extract("a", "b", "c")
    target = ErasureTarget(namespace=namespace, keys=(key,))

    def freeze(_items: object, _kind: str, _links: object) -> None:
        own_lite.freeze()

    try:
        for call in (
            lambda: store.learn(namespace, [{"role": "user", "content": "tea"}], announce=freeze, before_prompt=agreed),
            lambda: store.remember(namespace, "more", announce=ignored),
            lambda: store.search(namespace, "tea", limit=3),
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
