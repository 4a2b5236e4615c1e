"""What mem0's callers decide while it works: refusals and deadlines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.breaker import FAILURES_TO_OPEN, Breaker
from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import StoreFailed, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock
from tests.support.mem0_stores import Announcements, WordEmbedder, entities, ignored, nearest, seed_entity


class DatabaseGone(Exception):
    """Stands for whatever PostgreSQL's driver raises."""


def broken(*_args: object) -> Any:
    raise DatabaseGone("canary")


def a_store(
    connection: MilvusConnection, milvus: Milvus, lock: RecordingLock, *, visible: Callable[..., Any]
) -> Mem0Store:
    return Mem0Store(
        connection,
        flavour=milvus.flavour,
        lock=lock,
        visible=visible,
        embedder=WordEmbedder(),
    )


def test_what_visible_raises_while_searching_comes_out_unchanged(
    mem0: Mem0Store,
    milvus: Milvus,
    connection: MilvusConnection,
    lock: RecordingLock,
    namespace: UUID,
) -> None:
    mem0.remember(namespace, "likes tea", announce=ignored)
    store = a_store(connection, milvus, lock, visible=broken)

    with pytest.raises(DatabaseGone, match="canary"):
        nearest(store, namespace, "tea", limit=3)


def test_an_unexpected_failure_of_mem0_may_be_retried_and_quotes_nothing(
    mem0: Mem0Store, namespace: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_values: object) -> None:
        raise KeyError("canary")

    monkeypatch.setattr("mem0.memory.main.lemmatize_for_bm25", fail)

    with pytest.raises(StoreFailed) as caught:
        mem0.remember(namespace, "tea", announce=ignored)
    assert str(caught.value) == "mem0 failed with KeyError"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_text_that_is_stored_already_is_stored_again(mem0: Mem0Store, namespace: UUID) -> None:
    announced = Announcements()

    for _ in range(2):
        written = mem0.remember(namespace, "likes tea", announce=announced)
        assert [one.text for one in written] == ["likes tea"]

    assert len(mem0.keys(namespace)) == 2
    assert [text for _, text, _ in announced.made] == ["likes tea", "likes tea"]


def test_a_text_that_was_embedded_already_is_not_embedded_again(
    mem0: Mem0Store, namespace: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = WordEmbedder().query("an apple")

    def embedded(*_given: object) -> Any:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr(WordEmbedder, "passages", embedded)
        [written] = mem0.remember(namespace, "likes tea", announce=ignored, vector=elsewhere)

    [found] = nearest(mem0, namespace, "an apple", limit=1)
    assert (found.key, found.score) == (written.key, pytest.approx(1.0, abs=1e-5))


def test_a_memory_whose_time_is_over_is_not_written(mem0: Mem0Store, namespace: UUID) -> None:
    announced = Announcements()

    def late(*arguments: Any) -> float:
        announced(*arguments)
        return time.monotonic() - 0.001

    with pytest.raises(StoreUnavailable):
        mem0.remember(namespace, "c", announce=late)
    assert announced.calls == 1

    assert mem0.keys(namespace) == set()


def test_waiting_for_the_collection_counts_against_the_time(
    mem0: Mem0Store, mem0_ready: RecordingLock, namespace: UUID
) -> None:
    def soon(*_arguments: Any) -> float:
        return time.monotonic() + 0.05

    class SlowLock:
        def __call__(self, collection: str) -> Any:
            time.sleep(0.1)
            return mem0_ready(collection)

    mem0._memories._lock = SlowLock()
    with pytest.raises(StoreUnavailable):
        mem0.remember(namespace, "too late", announce=soon)
    mem0._memories._lock = mem0_ready

    assert mem0.keys(namespace) == set()


def test_a_late_write_relinks_no_entity(mem0: Mem0Store, namespace: UUID) -> None:
    old = mem0.remember(namespace, "born in Kyoto", announce=ignored)[0].key
    entity = seed_entity(mem0, namespace, "Kyoto", [old])
    new = str(uuid4())
    call = WriteCall(namespace, ignored, start_before=time.monotonic() - 1)
    call.announced["memory"].add(new)

    payload = {"data": "Kyoto", "linked_memory_ids": [str(old), new], "user_id": str(namespace)}
    with writing(call), pytest.raises(StoreUnavailable):
        mem0._entities.update(str(entity), vector=None, payload=payload)

    assert entities(mem0, namespace) == {"Kyoto": [str(old)]}


def test_late_writes_do_not_make_the_store_look_down(mem0: Mem0Store, namespace: UUID) -> None:
    breaker = Breaker("milvus")

    for _ in range(FAILURES_TO_OPEN + 1):
        with pytest.raises(StoreUnavailable):
            breaker.call(mem0.remember, namespace, "late", announce=lambda *_: time.monotonic() - 1)

    assert not breaker.is_open
