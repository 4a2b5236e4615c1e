"""What PostgreSQL and the stores disagree on is found and mended, in both directions (X-07)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from typer.testing import CliRunner

from services.cli.main import app as cli
from shared.erasure.discard_vectors import queue_abandoned
from shared.erasure.purge import queue_purge
from shared.erasure.reconcile import queue_forgotten, queue_next_slice, queue_reconcile
from shared.erasure.rules.slices import KEYS_A_SLICE
from shared.erasure.sql import forgotten, reconciling
from shared.kernel import subjects
from shared.kernel.new_ids import new_id
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent
from shared.runtime.restore_watch import RestoreWatch
from shared.stores import scanning
from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.milvus import COLLECTION as EPISODES
from shared.stores.milvus import DIMENSIONS
from shared.stores.milvus_client import MilvusConnection, Row, any_of, connect
from shared.stores.port import EpisodeVector
from shared.stores.scanning import Scanner
from tests.support.faults import FaultyStore
from tests.support.workbench import Person, Workbench
from workers import process as worker_process

VECTOR = [1.0, *([0.0] * (DIMENSIONS - 1))]
FIELDS = {
    EPISODES: ["pk", "namespace", "conversation_id", "episode_id", "message_ids", "vector"],
    MEMORIES.alias: ["id", "user_id", "vectors", "metadata", "text"],
    ENTITIES.alias: ["id", "user_id", "vectors", "metadata", "text"],
}


class Behind:
    """Changes Milvus behind the product's back."""

    def __init__(self, bench: Workbench) -> None:
        self._milvus: MilvusConnection = connect(bench.settings.milvus_uri, timeout=15)

    def rows(self, collection: str, keys: Sequence[UUID]) -> list[Row]:
        key = FIELDS[collection][0]
        found = self._milvus.query(collection, any_of(key, [str(one) for one in keys]), FIELDS[collection])
        return [
            {name: value if isinstance(value, str | dict) else list(value) for name, value in row.items()}
            for row in found
        ]

    def insert(self, collection: str, rows: Sequence[Row]) -> None:
        self._milvus.insert(collection, rows)

    def delete(self, collection: str, keys: Sequence[UUID]) -> None:
        self._milvus.delete(collection, FIELDS[collection][0], [str(key) for key in keys])

    def memory(self, namespace: UUID, key: UUID, text: str) -> Row:
        return {
            "id": str(key),
            "user_id": str(namespace),
            "vectors": VECTOR,
            "metadata": {"data": text, "user_id": str(namespace)},
            "text": text,
        }

    def entity(self, namespace: UUID, key: UUID, text: str, linking: Sequence[UUID]) -> Row:
        row = self.memory(namespace, key, text)
        row["metadata"]["linked_memory_ids"] = [str(one) for one in linking]
        return row

    def close(self) -> None:
        self._milvus.close()


@pytest.fixture
def behind(bench: Workbench) -> Iterator[Behind]:
    """A way around the product, into stores that hold nothing of earlier tests."""
    opened = Behind(bench)
    _ = bench.process.episodes, bench.process.mem0
    reconciled(bench)
    yield opened
    opened.close()


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def reconciled(bench: Workbench, *, clean: bool = True) -> dict[str, dict[str, int]]:
    """Reconcile and clean up; return what it counted, by store."""
    with bench.database.begin() as tx:
        operation = queue_reconcile(tx)
    if clean:
        bench.work()
    else:
        bench.work_once()
    cleanups = bench.api.get("/api/v1/memory/cleanups", params={"limit": 200}, headers=bench.service).json()
    of_run = [one for one in cleanups if one["id"] == str(operation) or one["found_by"] == str(operation)]
    assert of_run
    if clean:
        assert {one["status"] for one in of_run} == {"succeeded"}
    counts: dict[str, dict[str, int]] = {}
    for one in of_run:
        for step in one["steps"]:
            store = counts.setdefault(step["name"], {})
            for name, number in step["counts"].items():
                store[name] = store.get(name, 0) + number
    return counts


def differences(counts: dict[str, dict[str, int]]) -> dict[str, tuple[int, int]]:
    """Return by store how many orphans and losses were found."""
    return {store: (found["orphans"], found["losses"]) for store, found in counts.items()}


NOTHING = {"milvus": (0, 0), "mem0": (0, 0)}


def keys_of(bench: Workbench, person: Person, kind: str) -> list[UUID]:
    with bench.database.begin() as tx:
        rows = tx.rows(
            """
            select pk from vector_refs v join subjects s on s.id = v.subject_id
            where s.user_id = :user and item_kind = :kind and state = 'written' order by pk
            """,
            user=person.user_id,
            kind=kind,
        )
    return [row["pk"] for row in rows]


def an_episode(bench: Workbench, namespace: UUID, key: UUID) -> None:
    row = EpisodeVector(
        key=key,
        namespace=namespace,
        conversation_id=new_id(),
        episode_id=new_id(),
        message_ids=(new_id(),),
        vector=VECTOR,
    )
    bench.process.episodes.insert([row])


def talk(bench: Workbench, person: Person) -> str:
    """Let a person say something that becomes an episode and a memory."""
    conversation = person.conversation()
    person.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    assert person.memories() != []
    return conversation


def found(bench: Workbench, person: Person, conversation: str) -> list[str]:
    """Return what searching finds by vectors: the ids of what is reached, by store."""
    hits = bench.process.episodes.search(bench.namespace(person), VECTOR, limit=10)
    episodes = {hit.key for hit in hits} & set(keys_of(bench, person, "episode"))
    memories = {hit.key for hit in bench.process.mem0.nearest(bench.namespace(person), VECTOR, limit=10)}
    kinds = ["episode"] * len(episodes) + ["memory"] * len(memories & set(keys_of(bench, person, "memory")))
    assert person.search("peanuts", conversation_id=conversation) != []
    return kinds


def test_what_agrees_is_left_alone(bench: Workbench, behind: Behind, ada: Person) -> None:
    talk(bench, ada)
    before = keys_of(bench, ada, "episode") + keys_of(bench, ada, "memory")

    counts = reconciled(bench)

    assert differences(counts) == NOTHING
    assert (counts["milvus"]["scanned"], counts["milvus"]["checked"]) == (1, 1)
    assert (counts["mem0"]["scanned"], counts["mem0"]["checked"]) == (1, 1)
    assert keys_of(bench, ada, "episode") + keys_of(bench, ada, "memory") == before


def test_copies_nobody_announced_are_found_and_removed(bench: Workbench, behind: Behind, ada: Person) -> None:
    conversation = talk(bench, ada)
    known, unknown = bench.namespace(ada), uuid4()
    episodes, memories = [new_id(), new_id()], [uuid4(), uuid4()]
    for namespace, episode, memory in zip((known, unknown), episodes, memories, strict=True):
        an_episode(bench, namespace, episode)
        behind.insert(MEMORIES.alias, [behind.memory(namespace, memory, "canary-orphan")])

    counts = reconciled(bench)

    assert differences(counts) == {"milvus": (2, 0), "mem0": (2, 0)}
    assert [counts[store]["removed"] for store in ("milvus", "mem0")] == [2, 2]
    assert behind.rows(EPISODES, episodes) == []
    assert behind.rows(MEMORIES.alias, memories) == []
    assert found(bench, ada, conversation) == ["episode", "memory"]
    # whose namespace it is sees the cleanup
    shown = ada.get("/api/v1/memory/ops")
    assert sorted(one["steps"][0]["name"] for one in shown if one["type"] == "cleanup_orphans") == ["mem0", "milvus"]
    assert bench.holds("canary-orphan") == []
    assert differences(reconciled(bench)) == NOTHING


def test_names_of_what_is_gone_are_removed_from_mem0s_entities(bench: Workbench, behind: Behind, ada: Person) -> None:
    talk(bench, ada)
    namespace, [memory] = bench.namespace(ada), keys_of(bench, ada, "memory")
    gone, unnamed, shared = uuid4(), uuid4(), uuid4()
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
        intents = [Intent(pk=key, item_kind="entity", item_id=key) for key in (unnamed, shared)]
        vector_keys.announce(tx, subject, "mem0_entities", intents, step_id=0)
    behind.insert(
        ENTITIES.alias,
        [
            behind.entity(namespace, unnamed, "canary-name", [gone]),
            behind.entity(namespace, shared, "peanuts", [gone, memory]),
        ],
    )

    counts = reconciled(bench)

    assert differences(counts) == {"milvus": (0, 0), "mem0": (1, 0)}
    [left] = behind.rows(ENTITIES.alias, [unnamed, shared])
    assert (left["id"], left["metadata"]["linked_memory_ids"]) == (str(shared), [str(memory)])
    assert differences(reconciled(bench)) == NOTHING


def test_a_lost_episode_is_written_again_under_a_new_key(bench: Workbench, behind: Behind, ada: Person) -> None:
    conversation = talk(bench, ada)
    [lost] = keys_of(bench, ada, "episode")
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    [before] = behind.rows(EPISODES, [lost])
    behind.delete(EPISODES, [lost])
    assert found(bench, ada, conversation) == ["memory"]

    counts = reconciled(bench)

    assert differences(counts) == {"milvus": (0, 1), "mem0": (0, 0)}
    assert (counts["milvus"]["repaired"], counts["milvus"]["forgotten"]) == (1, 0)
    [key] = keys_of(bench, ada, "episode")
    assert key != lost
    [after] = behind.rows(EPISODES, [key])
    assert {name: after[name] for name in after if name not in ("pk", "vector")} == {
        name: before[name] for name in before if name not in ("pk", "vector")
    }
    assert after["vector"] == pytest.approx(before["vector"], abs=1e-5)
    assert found(bench, ada, conversation) == ["episode", "memory"]
    [again] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert again["id"] == episode["id"]
    assert bench.count("select count(*) from vector_refs where pk = %(pk)s", pk=lost) == 0
    assert differences(reconciled(bench)) == NOTHING


def test_a_lost_memory_is_written_again_under_a_new_key(bench: Workbench, behind: Behind, ada: Person) -> None:
    conversation = talk(bench, ada)
    [lost], [memory] = keys_of(bench, ada, "memory"), ada.get("/api/v1/memory/long_term")
    behind.delete(MEMORIES.alias, [lost])
    assert found(bench, ada, conversation) == ["episode"]

    counts = reconciled(bench)

    assert differences(counts) == {"milvus": (0, 0), "mem0": (0, 1)}
    assert (counts["mem0"]["repaired"], counts["mem0"]["forgotten"]) == (1, 0)
    [key] = keys_of(bench, ada, "memory")
    [row] = behind.rows(MEMORIES.alias, [key])
    assert (key != lost, row["metadata"]["data"]) == (True, memory["content"])
    assert found(bench, ada, conversation) == ["episode", "memory"]
    [again] = ada.get("/api/v1/memory/long_term")
    assert again == memory
    assert differences(reconciled(bench)) == NOTHING

    # what was written again is forgotten like anything else
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()
    assert bench.process.episodes.keys(bench.namespace(ada)) == set()


def test_everything_of_everybody_is_restored_when_milvus_lost_it_all(
    bench: Workbench, behind: Behind, ada: Person
) -> None:
    lin = bench.person()
    conversations = {person.user_id: talk(bench, person) for person in (ada, lin)}
    for person in (ada, lin):
        lose_everything(bench, behind, person)

    counts = reconciled(bench)

    assert differences(counts) == {"milvus": (0, 2), "mem0": (0, 2)}
    for person in (ada, lin):
        assert found(bench, person, conversations[person.user_id]) == ["episode", "memory"]
        assert [one["type"] for one in person.get("/api/v1/memory/ops")] == ["cleanup_losses", "cleanup_losses"]


def test_what_is_being_written_right_now_is_not_touched(bench: Workbench, behind: Behind, ada: Person) -> None:
    ada.conversation()
    arrived, on_its_way = new_id(), new_id()
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
        intents = [Intent(pk=key, item_kind="episode", item_id=new_id()) for key in (arrived, on_its_way)]
        vector_keys.announce(tx, subject, "milvus", intents, step_id=0)
    an_episode(bench, bench.namespace(ada), arrived)

    assert differences(reconciled(bench)) == NOTHING
    assert len(behind.rows(EPISODES, [arrived])) == 1
    assert bench.count("select count(*) from vector_refs where state = 'intended'") == 2


def test_what_is_announced_and_written_while_a_scan_reads_is_not_touched(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    read = Scanner.pages

    def read_what_was_just_written(self: Scanner, store: str, **within: Any) -> Iterator[scanning.Page]:
        bench.work_once(["episode.index", "memory.learn"])
        yield from read(self, store, **within)

    monkeypatch.setattr(Scanner, "pages", read_what_was_just_written)
    counts = reconciled(bench)
    assert counts["milvus"]["scanned"] == counts["mem0"]["scanned"] == 1
    assert differences(counts) == NOTHING
    assert found(bench, ada, conversation) == ["episode", "memory"]


def test_what_a_forget_takes_while_losses_are_looked_for_is_not_lost(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = talk(bench, ada)
    looked = Scanner.missing

    def forgotten_just_before(self: Scanner, store: str, keys: Sequence[UUID]) -> set[UUID]:
        monkeypatch.undo()
        ada.forget("conversation", conversation_id=conversation)
        bench.work_once(["ledger.accepted"])
        bench.work_once(["erase.postgres", "erase.milvus", "erase.mem0", "erase.files"])
        missing = looked(self, store, keys)
        assert missing == set(keys)
        return missing

    monkeypatch.setattr(Scanner, "missing", forgotten_just_before)
    assert differences(reconciled(bench)) == NOTHING


def test_what_a_forget_has_just_erased_is_no_orphan(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = talk(bench, ada)
    read = scanning._page

    def read_then_it_is_forgotten(*arguments: Any) -> scanning.Page:
        page = read(*arguments)
        monkeypatch.undo()
        ada.forget("conversation", conversation_id=conversation)
        for _ in range(8):
            bench.work_once()
        return page

    monkeypatch.setattr(scanning, "_page", read_then_it_is_forgotten)
    assert differences(reconciled(bench)) == NOTHING
    assert {one["status"] for one in ada.get("/api/v1/memory/ops")} == {"succeeded"}


def test_a_forget_between_finding_and_repairing_wins(bench: Workbench, behind: Behind, ada: Person) -> None:
    conversation = talk(bench, ada)
    lose_everything(bench, behind, ada)
    reconciled(bench, clean=False)
    assert bench.count("select count(*) from outbox where kind = 'cleanup.losses'") == 2

    ada.forget("conversation", conversation_id=conversation)
    bench.work()

    assert_nothing_is_left(bench, ada)
    assert repairs(bench) == {"milvus": (0, 0), "mem0": (0, 0)}
    assert differences(reconciled(bench)) == NOTHING


@pytest.mark.few(2)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("store", ["milvus", "mem0"])
def test_a_forget_beside_the_repairing_write_wins(
    bench: Workbench, behind: Behind, ada: Person, store: str, when: str
) -> None:
    conversation = talk(bench, ada)
    lose_everything(bench, behind, ada)
    reconciled(bench, clean=False)

    beside_the_write(bench, store, when, lambda: ada.forget("conversation", conversation_id=conversation))
    bench.work_once(["cleanup.losses"])
    assert repairs(bench)[store] == (0, 1)
    assert ada.memories() == []
    if (store, when) == ("mem0", "before"):  # not even announced yet: then nothing is written
        assert bench.process.mem0.keys(bench.namespace(ada)) == set()
    bench.work()
    time_passes(bench)
    bench.work()

    assert_nothing_is_left(bench, ada)
    assert differences(reconciled(bench)) == NOTHING


def lose_everything(bench: Workbench, behind: Behind, person: Person) -> None:
    behind.delete(EPISODES, keys_of(bench, person, "episode"))
    behind.delete(MEMORIES.alias, keys_of(bench, person, "memory"))


def repairs(bench: Workbench) -> dict[str, tuple[int, int]]:
    """Return by store how many copies were written again, and how many had been forgotten by then."""
    steps = [one["steps"][0] for one in _cleanups(bench, "cleanup_losses", status="succeeded")]
    return {step["name"]: (step["counts"]["repaired"], step["counts"]["forgotten"]) for step in steps}


def assert_nothing_is_left(bench: Workbench, person: Person) -> None:
    assert {one["status"] for one in person.get("/api/v1/memory/ops")} == {"succeeded"}
    assert bench.process.episodes.keys(bench.namespace(person)) == set()
    assert bench.process.mem0.keys(bench.namespace(person)) == set()
    assert bench.count("select count(*) from vector_refs where item_kind <> 'entity'") == 0


class _Interrupted:
    """A store in which something happens beside its next write."""

    def __init__(self, real: Any, when: str, act: Callable[[], object]) -> None:
        self._real, self._when, self._act = real, when, act
        self.name = real.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def insert(self, *arguments: Any, **named: Any) -> Any:
        return self._write("insert", *arguments, **named)

    def remember(self, *arguments: Any, **named: Any) -> Any:
        return self._write("remember", *arguments, **named)

    def _write(self, method: str, *arguments: Any, **named: Any) -> Any:
        act, self._act = self._act, lambda: None
        if self._when == "before":
            act()
        written = getattr(self._real, method)(*arguments, **named)
        if self._when == "after":
            act()
        return written


def beside_the_write(bench: Workbench, store: str, when: str, act: Callable[[], object]) -> None:
    """Do something once, before or after the next write to a store."""
    name = {"milvus": "_episodes", "mem0": "_mem0"}[store]
    bench.process.__dict__[name] = _Interrupted(bench.process._opened(name), when, act)


def time_passes(bench: Workbench) -> None:
    """Let deadlines of announced writes pass, and delayed rows become due."""
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = deadline - interval '10 minutes'")
    bench.hurry()


def test_a_repair_that_died_after_its_write_is_made_again_and_leaves_nothing(
    bench: Workbench, behind: Behind, ada: Person
) -> None:
    conversation = talk(bench, ada)
    behind.delete(EPISODES, keys_of(bench, ada, "episode"))

    def die() -> None:
        raise TimeoutError

    beside_the_write(bench, "milvus", "after", die)
    reconciled(bench, clean=False)
    bench.work_once(["cleanup.losses"])
    assert bench.count("select count(*) from vector_refs where state = 'intended'") == 1
    bench.hurry()
    bench.work()
    assert found(bench, ada, conversation) == ["episode", "memory"]

    time_passes(bench)
    with bench.database.begin() as tx:
        assert queue_abandoned(tx) == 1
    with bench.database.begin() as tx:
        assert queue_abandoned(tx) == 0, "what is queued hides no others"
    bench.work()
    assert bench.process.episodes.keys(bench.namespace(ada)) == set(keys_of(bench, ada, "episode"))
    assert differences(reconciled(bench)) == NOTHING


def test_a_delete_milvus_lost_is_found_by_the_orphan_scan(bench: Workbench, behind: Behind, ada: Person) -> None:
    conversation = talk(bench, ada)
    keys = {EPISODES: keys_of(bench, ada, "episode"), MEMORIES.alias: keys_of(bench, ada, "memory")}
    rows = {collection: behind.rows(collection, of_it) for collection, of_it in keys.items()}
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    for collection, of_it in rows.items():
        behind.insert(collection, of_it)
        assert len(behind.rows(collection, keys[collection])) == 1

    assert differences(reconciled(bench)) == {"milvus": (1, 0), "mem0": (1, 0)}

    for collection, of_it in keys.items():
        assert behind.rows(collection, of_it) == []
    assert differences(reconciled(bench)) == NOTHING


def test_late_bytes_of_a_forgotten_person_are_removed(bench: Workbench, behind: Behind, ada: Person) -> None:
    talk(bench, ada)
    namespace = bench.namespace(ada)
    late = behind.rows(MEMORIES.alias, keys_of(bench, ada, "memory"))
    operation = ada.forget("user")
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.namespace(ada) != namespace
    entity = uuid4()
    behind.insert(MEMORIES.alias, late)
    behind.insert(ENTITIES.alias, [behind.entity(namespace, entity, "peanuts", [UUID(late[0]["id"])])])

    assert differences(reconciled(bench)) == {"milvus": (0, 0), "mem0": (2, 0)}

    assert bench.process.mem0.keys(namespace) == set()
    assert behind.rows(ENTITIES.alias, [entity]) == []


def test_orphans_a_store_does_not_let_go_are_not_queued_twice(bench: Workbench, behind: Behind) -> None:
    faulty = FaultyStore(bench.process._opened("_episodes"))
    bench.process.__dict__["_episodes"] = faulty
    faulty.ignores_deletes = 1
    key = new_id()
    an_episode(bench, uuid4(), key)
    reconciled(bench, clean=False)
    bench.work_once(["cleanup.orphans"])
    [waiting] = _cleanups(bench, "cleanup_orphans", status="running")
    assert waiting["last_error"].startswith("residue_found")

    assert differences(reconciled(bench, clean=False)) == NOTHING
    bench.hurry()
    bench.work()
    assert _cleanups(bench, "cleanup_orphans", status="running") == []
    assert behind.rows(EPISODES, [key]) == []


def _cleanups(bench: Workbench, type_: str, *, status: str) -> list[dict[str, Any]]:
    answer = bench.api.get("/api/v1/memory/cleanups", params={"limit": 200}, headers=bench.service)
    return [one for one in answer.json() if one["type"] == type_ and one["status"] == status]


def test_while_a_store_is_down_the_other_is_compared_and_it_follows(bench: Workbench, behind: Behind) -> None:
    faulty = FaultyStore(bench.process._opened("_episodes"))
    bench.process.__dict__["_episodes"] = faulty
    faulty.unavailable = True
    with bench.database.begin() as tx:
        operation = queue_reconcile(tx)
    bench.work_once()
    shown = bench.api.get(f"/api/v1/memory/ops/{operation}", headers=bench.service).json()
    assert shown["status"] == "running"
    assert {step["name"]: step["status"] for step in shown["steps"]} == {"milvus": "ready", "mem0": "succeeded"}
    assert shown["steps"][0]["last_error"].startswith("milvus_unavailable")

    with bench.database.begin() as tx:
        assert queue_reconcile(tx) == operation
        later = queue_reconcile(tx, anew=True)
        assert later != operation
        assert queue_reconcile(tx, anew=True) == later, "it has not begun"
    faulty.unavailable = False
    bench.hurry()
    bench.work()
    shown = bench.api.get(f"/api/v1/memory/ops/{operation}", headers=bench.service).json()
    assert (shown["status"], shown["progress"]) == ("succeeded", 1.0)


def test_nothing_is_mended_for_a_restored_database_before_the_ledger_was_replayed(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(bench, ada)
    lose_everything(bench, behind, ada)
    forgotten = bench.person()
    operation = forgotten.forget("conversation", conversation_id=talk(bench, forgotten))
    bench.work()
    # Nobody noticed yet: what is tried is the reconciler's own look.
    monkeypatch.setattr(RestoreWatch, "_look", lambda _watch: None)
    for table, column in {"ledger": "op_id", "operation_steps": "operation_id", "operations": "id"}.items():
        # as if restored from a backup of before it
        bench.count(
            f"with gone as (delete from {table} where {column} = %(id)s returning 1) select count(*) from gone",
            id=operation,
        )

    reconciled(bench, clean=False)

    [waiting] = _cleanups(bench, "cleanup_reconcile", status="running")
    assert [step["last_error"].split(":")[0] for step in waiting["steps"]] == ["replay_needed", "replay_needed"]
    assert _cleanups(bench, "cleanup_losses", status="pending") == []
    monkeypatch.setenv("MEMORY_CENTER_DATABASE_URL", bench.settings.database_url.get_secret_value())
    outcome = CliRunner().invoke(cli, ["reconcile"])
    assert (outcome.exit_code, "memory-center replay" in outcome.stderr) == (1, True)


def test_a_collection_of_many_pages_is_scanned_whole(
    bench: Workbench, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "PAGE", 7)
    monkeypatch.setattr("workers.maintenance.reconciling.KEYS_AT_ONCE", 4)
    monkeypatch.setattr("shared.erasure.reconcile.KEYS_AT_ONCE", 4)
    keys = [new_id() for _ in range(40)]
    for key in keys:
        an_episode(bench, uuid4(), key)

    counts = reconciled(bench)

    assert (counts["milvus"]["scanned"], counts["milvus"]["orphans"], counts["milvus"]["removed"]) == (40, 40, 40)
    assert behind.rows(EPISODES, keys) == []


def test_only_services_see_cleanups_and_reconcile(bench: Workbench, behind: Behind, ada: Person) -> None:
    answers = [
        bench.api.get("/api/v1/memory/cleanups", headers=ada.headers),
        bench.api.post("/api/v1/memory/reconcile", headers=ada.headers),
    ]
    assert [answer.status_code for answer in answers] == [404, 404]

    accepted = bench.api.post("/api/v1/memory/reconcile", headers=bench.service)
    joined = bench.api.post("/api/v1/memory/reconcile", headers=bench.service)
    assert (accepted.status_code, joined.json()["op_id"]) == (202, accepted.json()["op_id"])
    bench.work()
    shown = bench.api.get(accepted.headers["Location"], headers=bench.service).json()
    assert (shown["type"], shown["status"]) == ("cleanup_reconcile", "succeeded")
    assert bench.api.get(accepted.headers["Location"], headers=ada.headers).status_code == 404

    page = bench.api.get("/api/v1/memory/cleanups", params={"limit": 1}, headers=bench.service)
    assert page.json()[0]["id"] == accepted.json()["op_id"]
    assert ada.user_id not in page.text
    more = bench.api.get(page.links["next"]["url"], headers=bench.service)
    assert more.json()[0]["id"] != accepted.json()["op_id"]


def test_the_command_reconciles_and_says_what_it_mended(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(bench, ada)
    behind.delete(EPISODES, keys_of(bench, ada, "episode"))
    behind.insert(MEMORIES.alias, [behind.memory(uuid4(), uuid4(), "canary-orphan")])
    monkeypatch.setenv("MEMORY_CENTER_DATABASE_URL", bench.settings.database_url.get_secret_value())

    with _workers(bench):
        as_json = CliRunner().invoke(cli, ["reconcile", "--json"])
        as_text = CliRunner().invoke(cli, ["reconcile"])

    assert as_json.exit_code == 0, as_json.output
    stores = json.loads(as_json.stdout)["stores"]
    assert (stores["milvus"]["losses"], stores["milvus"]["repaired"]) == (1, 1)
    assert (stores["mem0"]["orphans"], stores["mem0"]["removed"]) == (1, 1)
    assert as_text.exit_code == 0
    assert as_text.stdout.splitlines() == [
        "milvus: 1 rows scanned, 0 orphans, 0 removed; 1 keys checked, 0 lost, 0 repaired",
        "mem0: 1 rows scanned, 0 orphans, 0 removed; 1 keys checked, 0 lost, 0 repaired",
    ]


def test_the_command_says_when_nobody_works(bench: Workbench, behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_CENTER_DATABASE_URL", bench.settings.database_url.get_secret_value())
    monkeypatch.setattr("services.cli.reconcile.IDLE_SECONDS", 0.0)
    outcome = CliRunner().invoke(cli, ["reconcile"])
    assert outcome.exit_code == 1
    assert "are scheduler and worker running" in outcome.stderr


class _workers:  # noqa: N801 - reads as a function
    """Workers that run in a thread until the block ends."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stop.wait(0.05):
            self._bench.work_once()


def test_a_purge_runs_in_the_same_lane_and_leaves_what_is_wanted(bench: Workbench, behind: Behind, ada: Person) -> None:
    kept, gone = talk(bench, ada), ada.conversation()
    ada.say(gone, ("I live in canary-town.", "Nice."))
    bench.work()
    operation = ada.forget("conversation", conversation_id=gone)
    bench.work()
    assert ada.operation(operation)["purged_at"] is None
    with bench.database.begin() as tx:
        purge = queue_purge(tx)
    bench.work()

    shown = bench.api.get(f"/api/v1/memory/ops/{purge}", headers=bench.service).json()
    assert (shown["status"], {step["status"] for step in shown["steps"]}) == ("succeeded", {"succeeded"})
    assert ada.operation(operation)["purged_at"] is not None
    assert found(bench, ada, kept) == ["episode", "memory"]
    assert differences(reconciled(bench)) == NOTHING


def test_another_installations_milvus_is_not_cleaned_up(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    with psycopg.connect(bench.settings.database_url.get_secret_value()) as owner:  # as if this database were new
        owner.execute("update subjects set namespace = gen_random_uuid() where user_id is null")
        owner.execute("delete from vector_refs")
    newcomer = worker_process.Process(bench.settings, application="newcomer")
    installed = worker_process._installed[:]
    worker_process.install(newcomer)
    try:
        with bench.database.begin() as tx:
            queue_reconcile(tx)
        for _ in range(3):
            bench.work_once()
        assert bench.count("select count(*) from operations where type = 'cleanup_orphans'") == 0
        assert bench.count("select count(*) from outbox where last_error = 'store_misconfigured'") == 2
    finally:
        worker_process._installed[:] = installed
        newcomer.close()
    assert len(bench.process.episodes.keys(bench.namespace(ada))) == 1


def test_a_large_installation_is_compared_slice_by_slice(
    bench: Workbench, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciling, "about_how_many_keys", lambda _: 4 * KEYS_A_SLICE)
    namespaces = [UUID(int=(part << 126) + 5) for part in range(4)]
    for namespace in namespaces:
        behind.insert(MEMORIES.alias, [behind.memory(namespace, new_id(), "canary")])

    orphans: list[int] = []
    for _ in namespaces:
        with bench.database.begin() as tx:
            operation = queue_next_slice(tx)
            assert queue_next_slice(tx) == operation, "one after the other"
        bench.work_once()
        cleanups = bench.api.get("/api/v1/memory/cleanups", params={"limit": 200}, headers=bench.service).json()
        [run] = [one for one in cleanups if one["id"] == str(operation)]
        orphans += [step["counts"]["orphans"] for step in run["steps"] if step["name"] == "mem0"]
        bench.work()
    assert orphans == [1, 1, 1, 1]
    with bench.database.begin() as tx:
        assert queue_next_slice(tx) != queue_reconcile(tx), "who asks for all of it gets all of it"
    bench.work()
    assert differences(reconciled(bench)) == NOTHING


def test_where_something_was_forgotten_is_compared_soon_after(
    bench: Workbench, behind: Behind, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation, eve = talk(bench, ada), bench.person()
    talk(bench, eve)
    keys = {EPISODES: keys_of(bench, ada, "episode"), MEMORIES.alias: keys_of(bench, ada, "memory")}
    late = {collection: behind.rows(collection, of_it) for collection, of_it in keys.items()}
    hers, elsewhere = behind.rows(MEMORIES.alias, keys_of(bench, eve, "memory")), new_id()
    before = bench.namespace(eve)
    ada.forget("conversation", conversation_id=conversation)
    eve.forget("user")
    bench.work()
    for collection, rows in {**late, MEMORIES.alias: [*late[MEMORIES.alias], *hers]}.items():
        behind.insert(collection, rows)
    behind.insert(MEMORIES.alias, [behind.memory(uuid4(), elsewhere, "nobody forgot anything here")])

    assert bench.database.transact(queue_forgotten) == 0, "a forget before it may still be about to be committed"
    monkeypatch.setattr(forgotten, "COMMITTED_SECONDS", 0)
    assert bench.database.transact(queue_forgotten) == 2
    assert bench.database.transact(queue_forgotten) == 0, "one after the other"
    assert bench.database.transact(lambda tx: reconciling.following(tx, uuid4())) == [], "who reconciles waits for none"
    bench.work()

    for collection, of_it in keys.items():
        assert behind.rows(collection, of_it) == []
    assert bench.process.mem0.keys(before) == set()
    assert len(behind.rows(MEMORIES.alias, [elsewhere])) == 1, "only the two were looked at"
    assert bench.database.transact(queue_forgotten) == 0, "nothing was forgotten since"
    assert differences(reconciled(bench)) == {"milvus": (0, 0), "mem0": (1, 0)}


def test_one_who_forgets_very_often_delays_nobody(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgotten, "COMMITTED_SECONDS", 0)
    for person in (*[ada] * 5, bench.person(), bench.person()):
        person.forget("conversation", conversation_id=talk(bench, person))
    bench.work()
    with bench.database.begin() as tx:
        first, some = forgotten.namespaces(tx, after=None, limit=2)
        rest, others = forgotten.namespaces(tx, after=first, limit=2)
        assert (len(some), len(others), some[0]) == (2, 1, bench.namespace(ada))
        assert forgotten.namespaces(tx, after=rest, limit=2) == (None, [])


def test_a_person_who_lost_copies_gets_theirs_alone(bench: Workbench, behind: Behind, ada: Person) -> None:
    eve = bench.person()
    for one in (ada, eve):
        one.say(one.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    behind.delete(MEMORIES.alias, keys_of(bench, ada, "memory"))
    counts = reconciled(bench)
    assert counts["mem0"]["losses"] == counts["mem0"]["repaired"] == 1
    assert ada.search("peanuts") == eve.search("peanuts") == ["I'm allergic to peanuts."]
