"""What the store of episodes says when it is asked wrongly or its server fails, and how soon."""

from __future__ import annotations

import time
from dataclasses import replace
from uuid import UUID

import pytest

from shared.stores.milvus import EpisodeStore
from shared.stores.milvus_client import connect
from shared.stores.port import ErasureTarget, StoreMisconfigured, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock, a_vector, an_episode
from tests.support.milvus_servers import LiteServer, answers, free_port, refusing_milvus, wait_until


def test_a_vector_of_the_wrong_length_is_refused_for_good(episodes: EpisodeStore, namespace: UUID) -> None:
    with pytest.raises(StoreMisconfigured):
        episodes.insert([replace(an_episode(namespace), vector=[1.0, 2.0])])
    with pytest.raises(StoreMisconfigured):
        episodes.search(namespace, [1.0], limit=1)


@pytest.mark.full
def test_a_wrong_password_is_refused_for_good(standalone: Milvus, lock: RecordingLock) -> None:
    store = EpisodeStore(standalone.uri, token="root:wrong", flavour="server", lock=lock)

    with pytest.raises(StoreMisconfigured, match="not authenticated"):
        store.ping()


def test_a_missing_collection_is_refused_without_quoting_the_server(milvus: Milvus, namespace: UUID) -> None:
    milvus_connection = connect(milvus.uri, token=milvus.token)

    with pytest.raises(StoreMisconfigured) as caught:
        milvus_connection.query("nothing_here", f'text == "canary {namespace}"', ["pk"])

    assert str(namespace) not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_server_that_is_not_there_is_reported_at_once(lock: RecordingLock, namespace: UUID) -> None:
    store = EpisodeStore(f"http://127.0.0.1:{free_port()}", flavour="lite", lock=lock)
    started = time.monotonic()

    with pytest.raises(StoreUnavailable):
        store.keys(namespace)

    assert time.monotonic() - started < 1


def test_a_server_that_only_refuses_is_not_asked_again_past_the_timeout() -> None:
    with refusing_milvus() as uri:
        started = time.monotonic()

        with pytest.raises(StoreUnavailable):
            connect(uri, timeout=2).version()

        assert time.monotonic() - started < 2.5  # stock pymilvus took 3.7 s


def test_a_frozen_server_costs_one_timeout_and_works_again_when_it_continues(
    own_lite: LiteServer, lock: RecordingLock, namespace: UUID
) -> None:
    store = EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=1)
    store.ensure()
    row = an_episode(namespace)
    store.insert([row])
    target = ErasureTarget(namespace=namespace, keys=(row.key,))
    calls = [
        lambda: store.search(namespace, a_vector(), limit=1),
        lambda: store.insert([an_episode(namespace)]),
        lambda: store.erase([target]),
        lambda: store.residue([target])[0],
        store.ping,
        EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=1).ping,
    ]
    own_lite.freeze()
    try:
        for call in calls:
            started = time.monotonic()
            with pytest.raises(StoreUnavailable):
                call()
            assert time.monotonic() - started < 2
    finally:
        own_lite.thaw()

    wait_until(lambda: answers(store), seconds=20, what="an answer")
    store.erase([target])
    assert store.residue([target])[0].total == 0


def test_the_same_store_works_after_the_server_was_killed_and_restarted(
    own_lite: LiteServer, lock: RecordingLock, namespace: UUID
) -> None:
    store = EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=2)
    store.ensure()
    row = an_episode(namespace)
    store.insert([row])
    store.flush()

    own_lite.kill()
    started = time.monotonic()
    with pytest.raises(StoreUnavailable):
        store.keys(namespace)
    assert time.monotonic() - started < 2.5
    own_lite.start()

    def found() -> bool:
        try:
            return store.keys(namespace) == {row.key}  # the collection is loaded again on the way
        except StoreUnavailable:
            return False

    wait_until(found, seconds=20, what="the same rows")
    assert [hit.key for hit in store.search(namespace, a_vector(), limit=3)] == [row.key]
