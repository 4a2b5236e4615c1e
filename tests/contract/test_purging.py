"""A purge takes what was deleted out of Milvus' files and loses nothing else, whatever happens meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.mem0_vectors import definition
from shared.stores.milvus import COLLECTION, EpisodeStore
from shared.stores.milvus_client import MilvusConnection, Row, connect
from shared.stores.milvus_purging import CopyDiffers, Purged, Purger
from shared.stores.port import ErasureTarget, StoreUnavailable
from tests.contract.conftest import RecordingLock, a_vector, an_episode
from tests.support.milvus_servers import LiteServer, StandaloneServer, answers, wait_until

MUTATIONS = (
    "create_collection",
    "create_index",
    "insert",
    "flush",
    "load_collection",
    "alter_alias",
    "drop_collection",
)


class DyingConnection(MilvusConnection):
    """Fails at one call as if the process had been killed there: just before it, or once Milvus has done it."""

    def __init__(self, uri: str, method: str, *, done: bool) -> None:
        super().__init__(uri, timeout=30)
        self._dies_at, self._done = method, done

    def _call(self, method: str, *arguments: Any, timeout: float | None = None, **named: Any) -> Any:
        if method == self._dies_at and not self._done:
            raise StoreUnavailable("milvus")
        answer = super()._call(method, *arguments, timeout=timeout, **named)
        if method == self._dies_at:
            raise StoreUnavailable("milvus")
        return answer


class MeddlingConnection(MilvusConnection):
    """Runs something once, right after a certain call."""

    def __init__(self, uri: str, method: str, meddle: Any) -> None:
        super().__init__(uri, timeout=30)
        self._method, self._meddle = method, meddle

    def _call(self, method: str, *arguments: Any, timeout: float | None = None, **named: Any) -> Any:
        answer = super()._call(method, *arguments, timeout=timeout, **named)
        if method == self._method and self._meddle is not None:
            meddle, self._meddle = self._meddle, None
            meddle()
        return answer


@pytest.fixture
def store(own_lite: LiteServer, lock: RecordingLock) -> EpisodeStore:
    """Episodes on a Milvus Lite of their own."""
    opened = EpisodeStore(own_lite.uri, flavour="lite", lock=lock, timeout=15)
    opened.ensure()
    return opened


@pytest.fixture
def entities(own_lite: LiteServer) -> MilvusConnection:
    """A connection to a Milvus Lite that has mem0's collections."""
    milvus = connect(own_lite.uri, timeout=15)
    made_of = definition(bm25=True)
    for one in (MEMORIES, ENTITIES):
        milvus.ensure(one.alias, one.physical, made_of.schema, made_of.indexes)
    return milvus


def purger(milvus: MilvusConnection | str, lock: RecordingLock, *, keep: Any = set) -> Purger:
    return Purger(milvus, flavour="lite", lock=lock, keep=keep)


def a_row(namespace: UUID, text: str, links: Sequence[UUID] = ()) -> Row:
    return {
        "id": str(uuid4()),
        "user_id": str(namespace),
        "vectors": a_vector(),
        "metadata": {"data": text, "linked_memory_ids": [str(link) for link in links]},
        "text": text,
    }


def filled(store: EpisodeStore, namespace: UUID, *, rows: int = 30) -> tuple[set[UUID], set[UUID]]:
    """Store rows and erase every third; return the keys of those that stay and of those that went."""
    written = [an_episode(namespace) for _ in range(rows)]
    store.insert(written)
    gone = tuple(row.key for row in written[::3])
    store.erase([ErasureTarget(namespace=namespace, keys=gone)])
    return {row.key for row in written} - set(gone), set(gone)


def test_what_stays_is_still_found_after_a_purge(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    stay, gone = filled(store, namespace)

    purged = purger(own_lite.uri, lock).purge(COLLECTION)

    assert purged.rows == len(stay)
    assert store.keys(namespace) == stay
    assert {hit.key for hit in store.search(namespace, a_vector(), limit=100)} == stay
    assert store.residue([ErasureTarget(namespace=namespace, keys=tuple(gone))])[0].total == 0


@pytest.mark.full
def test_a_server_keeps_no_deleted_row_in_its_segments(standalone: StandaloneServer, lock: RecordingLock) -> None:
    alias = "purged_on_a_server"  # its rows lie in one partition: compacting all sixteen takes more than a minute
    milvus = connect(standalone.uri, token=standalone.token, timeout=15)
    made_of = definition(bm25=False)
    milvus.ensure(alias, f"{alias}_v1", made_of.schema, made_of.indexes)
    namespace = uuid4()
    written = [a_row(namespace, f"text {number}") for number in range(40)]
    for row in written:
        del row["text"]
    milvus.insert(alias, written)
    milvus.flush(alias)
    wait_until(lambda: stored_rows(milvus, alias) == 40, seconds=30, what="forty rows in segments")
    milvus.delete(alias, "id", [row["id"] for row in written[:30]])
    assert milvus.count(alias) == 10
    assert stored_rows(milvus, alias) == 40

    purged: list[Purged] = []

    def purge_once() -> bool:
        try:
            purged.append(Purger(milvus, flavour="server", lock=lock, keep=set).purge(alias))
        except StoreUnavailable:
            return False  # a server flushes a collection once in ten seconds
        return True

    wait_until(purge_once, seconds=60, what="a purge")

    assert stored_rows(milvus, alias) == milvus.count(alias) == purged[0].rows == 10
    left = milvus.query(alias, f'user_id == "{namespace}"', ["id"])
    assert {row["id"] for row in left} == {row["id"] for row in written[30:]}


def stored_rows(milvus: MilvusConnection, alias: str) -> int:
    """Return how many rows the server's segments hold, deleted ones included."""
    return sum(segment.num_rows for segment in milvus._call("list_persistent_segments", alias))


def test_rows_postgresql_does_not_know_go(store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace)
    orphan = an_episode(namespace)
    store.insert([orphan])

    purger(own_lite.uri, lock, keep=lambda keys: set(keys) - {orphan.key}).purge(COLLECTION)

    assert store.keys(namespace) == stay


def test_arrays_and_conversations_are_copied_too(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace, conversation, message = uuid4(), uuid4(), uuid4()
    store.insert([an_episode(namespace, conversation=conversation, messages=[message, uuid4()]), an_episode(namespace)])

    purger(own_lite.uri, lock).purge(COLLECTION)

    for target in (
        ErasureTarget(namespace=namespace, conversation_ids=(conversation,)),
        ErasureTarget(namespace=namespace, message_ids=(message,), within_conversations=(conversation,)),
    ):
        assert store.residue([target])[0].total == 1


def test_words_are_found_after_a_purge(entities: MilvusConnection, own_lite: LiteServer, lock: RecordingLock) -> None:
    namespace = uuid4()
    entities.insert(MEMORIES.alias, [a_row(namespace, text) for text in ("likes green tea", "rides a bicycle")])

    purger(own_lite.uri, lock).purge(MEMORIES.alias)

    for question, vectors in (("bicycle", "sparse"), (a_vector(), "vectors")):
        hits = entities.search(
            MEMORIES.alias,
            question,
            vectors=vectors,
            where=f'user_id == "{namespace}"',
            fields=["metadata", "text"],
            limit=1 if vectors == "sparse" else 2,
        )
        assert "rides a bicycle" in [fields["text"] for fields, _ in hits]
        assert {fields["metadata"]["data"] for fields, _ in hits} == {fields["text"] for fields, _ in hits}


@pytest.mark.few(6)
@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("method", MUTATIONS)
def test_a_purge_killed_anywhere_is_repeated(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock, method: str, *, done: bool
) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace)
    made_all_the_same = done and method.startswith("create")  # asked again, Milvus says that it is there
    with nullcontext() if made_all_the_same else pytest.raises(StoreUnavailable):
        purger(DyingConnection(own_lite.uri, method, done=done), lock).purge(COLLECTION)
    late = an_episode(namespace)
    store.insert([late])
    assert store.keys(namespace) == stay | {late.key}

    purged = purger(own_lite.uri, lock).purge(COLLECTION)

    assert store.keys(namespace) == stay | {late.key}
    assert purged.rows == len(stay) + 1
    milvus = connect(own_lite.uri)
    assert milvus.collections() == [milvus.behind(COLLECTION)]


def test_a_copy_that_is_not_right_never_takes_over(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace)
    other = connect(own_lite.uri)
    meddling = MeddlingConnection(
        own_lite.uri, "flush", lambda: other.delete("episodes_v2", "pk", [str(key) for key in stay])
    )
    with pytest.raises(CopyDiffers):
        purger(meddling, lock).purge(COLLECTION)

    assert other.behind(COLLECTION) == "episodes_v1"
    assert store.keys(namespace) == stay


def test_a_server_killed_while_the_alias_changed_hands_has_everything(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace)
    with pytest.raises(StoreUnavailable):
        purger(MeddlingConnection(own_lite.uri, "alter_alias", own_lite.kill), lock).purge(COLLECTION)
    own_lite.start()

    wait_until(lambda: answers(store), seconds=20, what="an answer")
    assert store.keys(namespace) == stay
    purger(own_lite.uri, lock).purge(COLLECTION)
    assert store.keys(namespace) == stay


def test_nothing_is_copied_when_nothing_was_deleted_but_leftovers_go(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace)
    with pytest.raises(StoreUnavailable):
        purger(DyingConnection(own_lite.uri, "drop_collection", done=False), lock).purge(COLLECTION)
    milvus = connect(own_lite.uri)
    assert sorted(milvus.collections()) == ["episodes_v1", "episodes_v2"]

    assert purger(own_lite.uri, lock).purge(COLLECTION, deleted=False).rows == 0

    assert milvus.collections() == ["episodes_v2"]
    assert store.keys(namespace) == stay


def test_a_collection_nobody_made_yet_needs_no_purge(own_lite: LiteServer, lock: RecordingLock) -> None:
    assert purger(own_lite.uri, lock).purge_store("mem0")["rows"] == 0


def test_who_writes_and_reads_meanwhile_notices_nothing(
    store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    expected, _ = filled(store, namespace, rows=600)
    stop = threading.Event()
    errors: list[Exception] = []

    def until_stopped(work: Any) -> None:
        try:
            while not stop.is_set():
                work()
        except Exception as error:  # noqa: BLE001 - asserted below
            errors.append(error)

    def write() -> None:
        new = [an_episode(namespace) for _ in range(3)]
        store.insert(new)
        gone = (new[0].key, next(iter(expected)))
        store.erase([ErasureTarget(namespace=namespace, keys=gone)])
        expected.update(row.key for row in new)
        expected.difference_update(gone)

    def read() -> None:
        assert store.search(namespace, a_vector(), limit=5)
        assert store.keys(namespace)

    threads = [threading.Thread(target=until_stopped, args=(work,)) for work in (write, read)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        purger(own_lite.uri, lock).purge(COLLECTION)
    stop.set()
    for thread in threads:
        thread.join(30)

    assert errors == []
    assert store.keys(namespace) == expected
    assert connect(own_lite.uri).behind(COLLECTION) == "episodes_v5"


def test_an_entity_rewritten_meanwhile_keeps_its_newest_links(
    entities: MilvusConnection, own_lite: LiteServer, lock: RecordingLock
) -> None:
    namespace = uuid4()
    rows = [a_row(namespace, f"name {number}", [uuid4()]) for number in range(50)]
    entities.insert(ENTITIES.alias, rows)
    written = 0
    stop = threading.Event()

    def relink() -> Iterator[None]:
        nonlocal written
        while True:
            row = rows[written % len(rows)]
            row["metadata"] = {**row["metadata"], "linked_memory_ids": [str(uuid4())]}
            with lock(ENTITIES.alias):
                entities.delete(ENTITIES.alias, "id", [row["id"]])
                entities.insert(ENTITIES.alias, [row])
            written += 1
            yield

    def keep_relinking() -> None:
        for _ in relink():
            if stop.is_set():
                return

    thread = threading.Thread(target=keep_relinking)
    thread.start()
    for _ in range(3):
        before = written
        purger(own_lite.uri, lock).purge(ENTITIES.alias)
        assert written > before
    stop.set()
    thread.join(30)

    found = entities.query(ENTITIES.alias, 'id != ""', ["id", "metadata"])
    assert {row["id"]: row["metadata"] for row in found} == {row["id"]: row["metadata"] for row in rows}
    assert len(found) == len(rows)


def test_two_purges_never_copy_at_once(store: EpisodeStore, own_lite: LiteServer, lock: RecordingLock) -> None:
    namespace = uuid4()
    stay, _ = filled(store, namespace, rows=300)
    threads = [threading.Thread(target=purger(own_lite.uri, lock).purge, args=(COLLECTION,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    for thread in threads:
        thread.join(deadline - time.monotonic())

    assert store.keys(namespace) == stay
    assert connect(own_lite.uri).collections() == ["episodes_v3"]
