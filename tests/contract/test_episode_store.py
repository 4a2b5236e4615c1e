"""What every Milvus must do with episodes, proven on Milvus Lite and on a real standalone server."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing, nullcontext
from typing import Any
from uuid import UUID, uuid4

import pytest
from pymilvus import DataType, MilvusClient

from shared.stores.milvus import COLLECTION, EpisodeStore
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import EpisodeVector, ErasureTarget
from tests.contract.conftest import Milvus, RecordingLock, a_vector, an_episode
from tests.support.milvus_servers import LiteServer, wait_until


def made_of(row: EpisodeVector, *, keys: tuple[UUID, ...]) -> ErasureTarget:
    """Return keys, and whatever was made of the messages of a row, as what must go."""
    return ErasureTarget(
        namespace=row.namespace,
        keys=keys,
        within_conversations=(row.conversation_id,),
        message_ids=row.message_ids,
    )


def keys_found(store: EpisodeStore, namespace: UUID, *, limit: int = 10) -> list[UUID]:
    return [hit.key for hit in store.search(namespace, a_vector(), limit=limit)]


UUID_LENGTH = 36


def test_a_row_has_no_room_for_text(milvus: Milvus, episodes: EpisodeStore, namespace: UUID) -> None:
    episodes.insert([an_episode(namespace)])
    with closing(MilvusClient(milvus.uri, token=milvus.token)) as client:
        fields = client.describe_collection(COLLECTION)["fields"]
    texts = [field for field in fields if DataType.VARCHAR in (field["type"], field.get("element_type"))]
    assert {field["name"] for field in texts} == {"pk", "namespace", "conversation_id", "episode_id", "message_ids"}
    lengths = {field["name"]: field["params"].get("max_length") for field in texts}
    if milvus.flavour == "lite":
        assert lengths.pop("message_ids") is None  # Milvus Lite does not say how long an array's members may be
    assert {int(length) for length in lengths.values()} == {UUID_LENGTH}


def test_the_nearest_vectors_of_the_namespace_come_first(episodes: EpisodeStore, namespace: UUID) -> None:
    far, near, middle = (an_episode(namespace, seed=seed) for seed in (3.0, 0.1, 1.0))
    episodes.insert([far, near, middle])
    wait_until(lambda: len(keys_found(episodes, namespace)) == 3, seconds=10, what="three hits")

    hits = episodes.search(namespace, a_vector(), limit=2)

    assert [hit.key for hit in hits] == [near.key, middle.key]
    assert hits[0].score == pytest.approx(0.995, abs=0.01)


def test_a_search_can_be_limited_to_one_conversation(episodes: EpisodeStore, namespace: UUID) -> None:
    wanted, other = an_episode(namespace), an_episode(namespace)
    episodes.insert([wanted, other])
    wait_until(lambda: len(keys_found(episodes, namespace)) == 2, seconds=10, what="two hits")

    hits = episodes.search(namespace, a_vector(), limit=5, conversation_id=wanted.conversation_id)

    assert [hit.key for hit in hits] == [wanted.key]


def test_nobody_finds_another_persons_episodes(episodes: EpisodeStore, namespace: UUID) -> None:
    stranger = uuid4()
    episodes.insert([an_episode(namespace), an_episode(stranger)])
    wait_until(lambda: len(keys_found(episodes, stranger)) == 1, seconds=10, what="the stranger's hit")

    assert episodes.keys(namespace).isdisjoint(episodes.keys(stranger))
    assert set(keys_found(episodes, namespace)) <= episodes.keys(namespace)


def test_an_announced_key_is_erased_and_its_neighbours_stay(episodes: EpisodeStore, namespace: UUID) -> None:
    gone, stays = an_episode(namespace), an_episode(namespace)
    episodes.insert([gone, stays])
    target = ErasureTarget(namespace=namespace, keys=(gone.key,))
    assert episodes.residue([target])[0].found == {"vectors": 1}

    assert episodes.erase([target]) == [1]

    assert episodes.residue([target])[0].total == 0
    assert episodes.keys(namespace) == {stays.key}


def test_every_vector_of_an_episode_is_found_through_one_message(episodes: EpisodeStore, namespace: UUID) -> None:
    message, episode, conversation = uuid4(), uuid4(), uuid4()
    rows = [
        an_episode(namespace, messages=(uuid4(), message, uuid4()), episode=episode, conversation=conversation)
        for _ in range(3)
    ]
    stays = [an_episode(namespace, conversation=conversation), an_episode(namespace)]
    episodes.insert([*rows, *stays])
    target = ErasureTarget(
        namespace=namespace, message_ids=(message, uuid4()), within_conversations=(uuid4(), conversation)
    )
    assert episodes.residue([target])[0].total == 3

    episodes.erase([target])

    assert episodes.residue([target])[0].total == 0
    assert episodes.keys(namespace) == {row.key for row in stays}


def test_rows_nobody_announced_are_found_by_their_conversation(episodes: EpisodeStore, namespace: UUID) -> None:
    conversation = uuid4()
    announced, late = (an_episode(namespace, conversation=conversation) for _ in range(2))
    episodes.insert([announced, late, an_episode(namespace)])
    target = ErasureTarget(namespace=namespace, keys=(announced.key,), conversation_ids=(conversation,))
    assert episodes.residue([target])[0].total == 2  # counted once each, by key and by source

    assert episodes.erase([target]) == [2]

    assert episodes.residue([target])[0].total == 0
    assert len(episodes.keys(namespace)) == 1


def test_the_same_source_in_another_namespace_is_left_alone(episodes: EpisodeStore, namespace: UUID) -> None:
    conversation, stranger = uuid4(), uuid4()
    episodes.insert([an_episode(one, conversation=conversation) for one in (namespace, stranger)])

    episodes.erase([ErasureTarget(namespace=namespace, conversation_ids=(conversation,))])

    assert len(episodes.keys(stranger)) == 1
    assert episodes.keys(namespace) == set()


def test_a_whole_namespace_goes_and_no_other(episodes: EpisodeStore, namespace: UUID) -> None:
    stranger = uuid4()
    episodes.insert([*(an_episode(namespace) for _ in range(5)), an_episode(stranger)])
    target = ErasureTarget(namespace=namespace, whole_namespace=True)
    assert episodes.residue([target])[0].total == 5

    episodes.erase([target])

    assert episodes.residue([target])[0].total == 0
    assert len(episodes.keys(stranger)) == 1


def test_erasing_again_and_erasing_nothing_is_harmless(episodes: EpisodeStore, namespace: UUID) -> None:
    row = an_episode(namespace)
    episodes.insert([row])
    target = made_of(row, keys=(row.key,))

    assert episodes.erase([target]) == [1]
    assert episodes.erase([target]) == [1]  # it counts what was asked, as Milvus does
    assert episodes.erase([ErasureTarget(namespace=namespace)]) == [0]
    assert episodes.residue([ErasureTarget(namespace=namespace)])[0].total == 0


def test_targets_are_answered_in_their_order_whatever_they_share(episodes: EpisodeStore, namespace: UUID) -> None:
    conversation, stranger = uuid4(), uuid4()
    first, second, late = (an_episode(namespace, conversation=conversation) for _ in range(3))
    elsewhere = [an_episode(stranger, conversation=conversation) for _ in range(2)]
    stays = an_episode(namespace)
    episodes.insert([first, second, late, *elsewhere, stays])
    targets = [
        made_of(first, keys=(first.key,)),
        ErasureTarget(namespace=stranger, whole_namespace=True),
        ErasureTarget(namespace=namespace),
        ErasureTarget(namespace=namespace, keys=(first.key, second.key), conversation_ids=(conversation,)),
    ]
    assert [one.total for one in episodes.residue(targets)] == [1, 2, 0, 3]

    assert episodes.erase(targets) == [1, 2, 0, 3]

    assert [one.total for one in episodes.residue(targets)] == [0, 0, 0, 0]
    assert episodes.keys(namespace) == {stays.key}
    assert episodes.keys(stranger) == set()


def test_a_key_counts_in_whatever_namespace_its_row_lies(episodes: EpisodeStore, namespace: UUID) -> None:
    """Milvus 2.3 looks into one partition only when a filter says "this key or that namespace"."""
    strays = [an_episode(uuid4()) for _ in range(40)]
    other = an_episode(namespace)
    episodes.insert([*strays, other])
    targets = [
        made_of(other, keys=tuple(row.key for row in strays)),
        ErasureTarget(namespace=uuid4(), keys=(strays[0].key,), whole_namespace=True),
    ]

    assert [one.total for one in episodes.residue(targets)] == [41, 1]


def test_without_a_search_only_what_was_announced_goes_and_is_counted(episodes: EpisodeStore, namespace: UUID) -> None:
    announced, late = an_episode(namespace), an_episode(namespace)
    episodes.insert([announced, late])
    target = made_of(late, keys=(announced.key,))
    assert episodes.residue([target], search=False)[0].total == 1

    assert episodes.erase([target], search=False) == [1]

    assert episodes.keys(namespace) == {late.key}
    assert episodes.residue([target], search=False)[0].total == 0
    assert episodes.residue([target])[0].total == 1


class WatchedConnection(MilvusConnection):
    """Counts the keys each call names; can ignore deletes; knows whether the lock was held."""

    def __init__(self, server: Milvus, lock: RecordingLock | None = None, *, ignore_deletes: bool = False) -> None:
        super().__init__(server.uri, token=server.token, timeout=15)
        self.named: list[int] = []
        self.unlocked: list[str] = []
        self._lock_in_use = lock
        self._ignore_deletes = ignore_deletes

    def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
        where = named.get("filter", "")
        if method in {"delete", "query"} and "pk in" in where:
            self.named.append(where.count('"') // 2)
        changes = method in {"insert", "delete", "upsert", "flush", "create_collection", "create_index", "create_alias"}
        if changes and self._lock_in_use is not None and COLLECTION not in self._lock_in_use.held:
            self.unlocked.append(method)
        if method == "delete" and self._ignore_deletes:
            return {"delete_count": self.named[-1]}
        return super()._call(method, *arguments, **named)


@pytest.mark.usefixtures("episodes")
def test_no_call_names_more_than_a_thousand_keys(milvus: Milvus, lock: RecordingLock, namespace: UUID) -> None:
    connection = WatchedConnection(milvus)
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    rows = [an_episode(namespace) for _ in range(2300)]
    store.insert(rows)
    target = ErasureTarget(namespace=namespace, keys=tuple(row.key for row in rows), whole_namespace=True)
    assert store.residue([target])[0].total == 2300

    store.erase([target])

    assert store.residue([target])[0].total == 0
    assert max(connection.named) == 1000
    assert connection.named.count(1000) == 2  # deletes: the whole namespace is searched without naming any
    connection.close()


@pytest.mark.usefixtures("episodes")
def test_residue_counts_what_is_there_when_a_delete_was_ignored(
    milvus: Milvus, lock: RecordingLock, namespace: UUID
) -> None:
    connection = WatchedConnection(milvus, ignore_deletes=True)
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    rows = [an_episode(namespace) for _ in range(3)]
    store.insert(rows)
    target = made_of(rows[1], keys=(rows[0].key,))

    assert store.erase([target]) == [2]

    assert store.residue([target])[0].found == {"vectors": 2}
    connection.close()


def test_every_change_happens_under_the_lock(milvus: Milvus, lock: RecordingLock, namespace: UUID) -> None:
    connection = WatchedConnection(milvus, lock)
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)

    store.ensure()
    store.insert([an_episode(namespace)])
    store.erase([ErasureTarget(namespace=namespace, whole_namespace=True)])
    store.flush()

    assert connection.unlocked == []
    connection.close()


def test_several_processes_may_ensure_at_once(own_lite: LiteServer, lock: RecordingLock) -> None:
    stores = [EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=15) for _ in range(4)]
    failures = run_together([store.ensure for store in stores])

    assert failures == []
    assert stores[0].keys(uuid4()) == set()


def test_a_server_whose_lock_is_shared_still_ends_with_one_collection(milvus: Milvus) -> None:
    stores = [
        EpisodeStore(milvus.uri, token=milvus.token, flavour=milvus.flavour, lock=lambda _: nullcontext(), timeout=30)
        for _ in range(3)
    ]

    assert run_together([store.ensure for store in stores]) == []


def run_together(acts: Sequence[Any]) -> list[BaseException]:
    failures: list[BaseException] = []

    def guarded(act: Any) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - reported to the test
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures
