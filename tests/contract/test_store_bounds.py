"""No call grows with what a person has stored, no write starts late, and no collection waits for another's flush."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores import milvus_deletion
from shared.stores.flushing import COLLECTIONS, Flusher
from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus import COLLECTION, MAX_MESSAGES, EpisodeStore
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import ErasableStore, ErasureTarget, StoreMisconfigured, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock, Visibility, a_vector, an_episode
from tests.contract.test_episode_store import made_of
from tests.support.mem0_stores import WordEmbedder, ignored, seed_entity
from tests.support.milvus_servers import LiteServer

PAGE = 40


class CountingConnection(MilvusConnection):
    """Knows the largest answer of a query and the largest delete; can ignore deletes."""

    def __init__(self, server: Milvus, *, ignore_deletes: bool = False) -> None:
        super().__init__(server.uri, token=server.token, timeout=15)
        self.largest = 0
        self.deletes = 0
        self._ignore_deletes = ignore_deletes

    def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
        if method == "delete":
            self.deletes += 1
            if self._ignore_deletes:
                return {"delete_count": 0}
        answer = super()._call(method, *arguments, **named)
        if method == "query":
            self.largest = max(self.largest, len(answer))
        return answer


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(milvus_deletion, "PAGE", PAGE)


@pytest.mark.usefixtures("episodes", "pages")
@pytest.mark.parametrize("whole", [True, False])
def test_episodes_are_found_and_erased_page_by_page(
    milvus: Milvus, lock: RecordingLock, namespace: UUID, *, whole: bool
) -> None:
    connection, conversation, stranger = CountingConnection(milvus), uuid4(), uuid4()
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    rows = [an_episode(namespace, conversation=conversation) for _ in range(230)]
    store.insert([*rows, an_episode(stranger, conversation=conversation)])
    assert store.keys(namespace) == {row.key for row in rows}
    target = ErasureTarget(
        namespace=namespace, whole_namespace=whole, conversation_ids=() if whole else (conversation,)
    )
    assert store.residue([target])[0].total == 230

    assert store.erase([target]) == [230]

    assert store.residue([target])[0].total == 0
    assert store.keys(namespace) == set()
    assert len(store.keys(stranger)) == 1
    assert 0 < connection.largest <= PAGE
    connection.close()


@pytest.mark.usefixtures("episodes", "pages")
def test_erasing_page_by_page_ends_when_deletes_are_ignored(
    milvus: Milvus, lock: RecordingLock, namespace: UUID
) -> None:
    connection = CountingConnection(milvus, ignore_deletes=True)
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    store.insert([an_episode(namespace) for _ in range(100)])
    target = ErasureTarget(namespace=namespace, whole_namespace=True)

    store.erase([target])

    assert connection.deletes < 100
    assert store.residue([target])[0].total == 100
    connection.close()


class Calls(MilvusConnection):
    """Knows the name of every call."""

    def __init__(self, server: Milvus) -> None:
        super().__init__(server.uri, token=server.token, timeout=15)
        self.made: list[str] = []

    def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
        self.made.append(method)
        return super()._call(method, *arguments, **named)

    def since(self) -> list[str]:
        """Return the calls since this was asked last."""
        made, self.made = self.made, []
        return made


@pytest.mark.usefixtures("episodes")
def test_many_targets_share_one_delete_and_one_read(milvus: Milvus, lock: RecordingLock) -> None:
    connection = Calls(milvus)
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    people = [uuid4() for _ in range(30)]
    rows = [an_episode(person) for person in people for _ in range(2)]
    store.insert(rows)
    targets = [made_of(row, keys=(row.key,)) for row in rows[::2]]
    connection.since()

    assert [one.total for one in store.residue(targets)] == [1] * 30
    assert connection.since() == ["query"]
    assert store.erase(targets, search=False) == [1] * 30
    assert connection.since() == ["delete"]
    assert [one.total for one in store.residue(targets)] == [0] * 30
    assert connection.since() == ["query"]
    assert {key for person in people for key in store.keys(person)} == {row.key for row in rows[1::2]}
    connection.close()


def test_memories_of_many_people_cost_two_calls_and_a_search_two_more(
    mem0_ready: RecordingLock, milvus: Milvus, visibility: Visibility
) -> None:
    connection = Calls(milvus)
    store = Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder())
    people = [uuid4() for _ in range(30)]
    keys = [store.remember(person, "likes tea", announce=ignored)[0].key for person in people]
    targets = [ErasureTarget(namespace=person, keys=(key,)) for person, key in zip(people, keys, strict=True)]
    connection.since()

    nowhere_linked = [replace(target, entities=False) for target in targets]
    store.erase(nowhere_linked, search=False)
    assert [one.total for one in store.residue(nowhere_linked, search=False)] == [0] * 30

    assert connection.since() == ["delete", "query"]
    assert [one.total for one in store.residue(nowhere_linked)] == [0] * 30
    assert connection.since() == ["query", "query"]
    connection.close()


def test_entities_that_were_announced_are_asked_about_links_without_a_search(
    mem0_ready: RecordingLock, milvus: Milvus, visibility: Visibility, namespace: UUID
) -> None:
    connection = Calls(milvus)
    store = Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder())
    key = store.remember(namespace, "likes tea", announce=ignored)[0].key
    entity = seed_entity(store, namespace, "tea", [key])
    linked = ErasureTarget(namespace=namespace, keys=(key,))
    gone = ErasureTarget(namespace=namespace, keys=(key,), entity_keys=(entity,), whole_namespace=True)
    assert store.residue([linked], search=False)[0].found == {"vectors": 1, "entities": 1}
    assert store.residue([replace(linked, entities=False)], search=False)[0].found == {"vectors": 1, "entities": 0}
    assert store.residue([gone], search=False)[0].found == {"vectors": 1, "entities": 1}
    connection.since()

    assert store.erase([gone], search=False) == [2]
    assert store.residue([gone], search=False)[0].total == 0

    assert connection.since() == ["delete", "delete", "query", "query"]
    assert store.keys(namespace) == set()
    connection.close()


def test_nothing_to_erase_costs_nothing(
    mem0_ready: RecordingLock, episodes: EpisodeStore, milvus: Milvus, lock: RecordingLock, visibility: Visibility
) -> None:
    del episodes
    connection = Calls(milvus)
    stores: list[ErasableStore] = [
        EpisodeStore(connection, flavour=milvus.flavour, lock=lock),
        Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder()),
    ]
    for store in stores:
        for targets in ([], [ErasureTarget(namespace=uuid4())] * 2):
            assert store.erase(targets) == [0] * len(targets)
            assert [one.total for one in store.residue(targets)] == [0] * len(targets)

    assert connection.made == []
    connection.close()


@pytest.mark.usefixtures("pages")
def test_memories_and_entities_are_found_and_erased_page_by_page(
    mem0_ready: RecordingLock, milvus: Milvus, namespace: UUID, visibility: Visibility
) -> None:
    connection = CountingConnection(milvus)
    store = Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder())
    memories, entities = ([str(uuid4()) for _ in range(150)] for _ in range(2))
    payloads = [{"data": "tea", "user_id": str(namespace)} for _ in memories]
    with writing(WriteCall(namespace, ignored)):
        store._memories.insert(memories, [a_vector()] * 150, payloads)
        linked = [{**payload, "linked_memory_ids": [memories[0]]} for payload in payloads]
        store._entities.insert(entities, [a_vector()] * 150, linked)
    assert store.keys(namespace) == {UUID(key) for key in memories + entities}
    linking = ErasureTarget(namespace=namespace, keys=(UUID(memories[0]),))
    assert store.residue([linking])[0].found == {"vectors": 1, "entities": 150}
    target = ErasureTarget(namespace=namespace, whole_namespace=True)
    assert store.residue([target])[0].found == {"vectors": 150, "entities": 150}
    found_by_page = connection.largest
    connection.largest = 0

    assert store.erase([target]) == [300]

    assert store.residue([target])[0].total == 0
    assert store.keys(namespace) == set()
    assert 0 < connection.largest <= PAGE
    assert 0 < found_by_page <= PAGE
    connection.close()


def test_an_announced_key_goes_before_the_namespace_is_searched(
    mem0_ready: RecordingLock, milvus: Milvus, namespace: UUID, visibility: Visibility
) -> None:
    steps: list[str] = []

    class Steps(MilvusConnection):
        def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
            steps.append(method)
            return super()._call(method, *arguments, **named)

    connection = Steps(milvus.uri, token=milvus.token, timeout=15)
    store = Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder())

    store.erase([ErasureTarget(namespace=namespace, keys=(uuid4(),), whole_namespace=True)])

    assert steps[0] == "delete"
    connection.close()


def test_an_episode_whose_time_is_over_is_not_written(episodes: EpisodeStore, namespace: UUID) -> None:
    with pytest.raises(StoreUnavailable):
        episodes.insert([an_episode(namespace)], start_before=time.monotonic() - 0.001)
    assert episodes.keys(namespace) == set()

    episodes.insert([an_episode(namespace)], start_before=time.monotonic() + 30)
    assert len(episodes.keys(namespace)) == 1


def test_waiting_for_the_lock_counts_and_every_batch_is_checked(
    connection: MilvusConnection, episodes: EpisodeStore, milvus: Milvus, namespace: UUID
) -> None:
    held = 0

    @contextmanager
    def slow_from_the_second_time(_name: str) -> Iterator[None]:
        nonlocal held
        held += 1
        if held > 1:
            time.sleep(max(0.0, until - time.monotonic()) + 0.01)
        yield

    store = EpisodeStore(connection, flavour=milvus.flavour, lock=slow_from_the_second_time)
    until = time.monotonic() + 3

    with pytest.raises(StoreUnavailable):
        store.insert([an_episode(namespace) for _ in range(600)], start_before=until)

    assert len(episodes.keys(namespace)) == 500


def test_a_wrong_row_is_refused_before_anything_is_written(episodes: EpisodeStore, namespace: UUID) -> None:
    good = [an_episode(namespace) for _ in range(501)]
    too_many = an_episode(namespace, messages=[uuid4() for _ in range(MAX_MESSAGES + 1)])

    for wrong in (too_many, replace(good[0], key=uuid4(), vector=[1.0])):
        with pytest.raises(StoreMisconfigured):
            episodes.insert([*good, wrong])

    assert episodes.keys(namespace) == set()
    most = an_episode(namespace, messages=[uuid4() for _ in range(MAX_MESSAGES)])
    episodes.insert([most])
    assert episodes.keys(namespace) == {most.key}


class Busy(Exception):
    """Stands for a lock somebody else holds."""


def test_a_busy_collection_does_not_keep_the_others_from_being_flushed(
    own_lite: LiteServer, lock: RecordingLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=15).ensure()
    Mem0Store(own_lite.uri, flavour="lite", lock=lock, visible=set, embedder=WordEmbedder(), timeout=15).ensure()
    flushed: list[str] = []
    real = MilvusConnection.flush

    def flush(self: MilvusConnection, collection: str) -> None:
        if collection == "mem0_memories":
            raise StoreUnavailable("milvus")
        real(self, collection)
        flushed.append(collection)

    @contextmanager
    def busy(collection: str) -> Iterator[None]:
        if collection == COLLECTION:
            raise Busy
        with lock(collection):
            yield

    monkeypatch.setattr(MilvusConnection, "flush", flush)

    with pytest.raises(Busy):
        Flusher(own_lite.uri, lock=busy).flush()
    assert flushed == [COLLECTIONS[2]]

    with pytest.raises(StoreUnavailable):
        Flusher(own_lite.uri, lock=lock).flush()
    assert flushed == [COLLECTIONS[2], COLLECTIONS[0], COLLECTIONS[2]]


def test_an_idle_connection_pings_no_more_often_than_a_server_allows(lite: LiteServer) -> None:
    """A gRPC server hangs up on clients that ping more than once in 5 minutes; the next call would fail."""
    connection = MilvusConnection(lite.uri)
    connection.version()
    opened = connection._opened
    assert opened is not None
    options = opened._handler._grpc_options
    assert options["grpc.keepalive_time_ms"] >= 300_000
    assert not options["grpc.keepalive_permit_without_calls"]
    connection.close()
