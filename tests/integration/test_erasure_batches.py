"""What is erased together costs few calls, and what one row suffers is not its batch mates'."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from shared.kernel import subjects
from shared.kernel.new_ids import new_id
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent
from shared.outbox.job_kinds import ERASE_FILES, ERASE_MEM0, ERASE_MILVUS, RECORD_ACCEPTED, VERIFY
from shared.stores.breaker import FAILURES_TO_OPEN
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus import DIMENSIONS
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import EpisodeVector, ErasureTarget
from tests.support.faults import FaultyStore
from tests.support.workbench import Person, Workbench

TURNS = (("I'm allergic to peanuts.", "Noted."), ("I live in Berlin.", "Nice."))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts every call to Milvus by its name."""
    counted: Counter[str] = Counter()
    real = MilvusConnection._call

    def call(self: MilvusConnection, method: str, *arguments: Any, **named: Any) -> Any:
        counted[method] += 1
        return real(self, method, *arguments, **named)

    monkeypatch.setattr(MilvusConnection, "_call", call)
    return counted


@pytest.fixture
def people(bench: Workbench) -> list[Person]:
    """Three people, one remembered conversation each."""
    return [person for person, _ in remembered(bench, 3)]


@pytest.fixture
def milvus(bench: Workbench) -> FaultyStore:
    faulty = FaultyStore(bench.process._opened("_episodes"))
    bench.process.__dict__["_episodes"] = faulty
    return faulty


def remembered(bench: Workbench, how_many: int) -> list[tuple[Person, list[tuple[str, str]]]]:
    """Let people say something and be remembered; return them with their messages."""
    told = [(person := bench.person(), person.say(person.conversation(), *TURNS)) for _ in range(how_many)]
    bench.work()
    return told


def forget_all(people: Sequence[Person]) -> list[str]:
    """Forget everything of everybody, as far as the stores may be erased."""
    operations = [person.forget("user") for person in people]
    people[0].bench.work_once([RECORD_ACCEPTED])
    return operations


def until_verified(bench: Workbench) -> None:
    """Let the workers go on until all that is left is to verify."""
    while others := [kind for _, kind in bench.due() if kind != VERIFY]:
        assert bench.work_once(others)


def statuses(people: Sequence[Person], operations: Sequence[str], name: str) -> list[str]:
    """Return how one step of each operation stands."""
    return shown(people, operations, name, "status")


def shown(people: Sequence[Person], operations: Sequence[str], name: str, what: str) -> list[Any]:
    """Return what is shown of one step of each operation."""
    return [
        step[what]
        for person, operation in zip(people, operations, strict=True)
        for step in person.operation(operation)["steps"]
        if step["name"] == name
    ]


def made(calls: Counter[str], act: Callable[[], object]) -> dict[str, int]:
    """Return the calls made meanwhile."""
    calls.clear()
    act()
    return dict(calls)


def test_thirty_forgets_of_fifteen_people_cost_no_more_calls_than_one(bench: Workbench, calls: Counter[str]) -> None:
    told = remembered(bench, 15)
    forgotten = [(person, person.forget("message", message_id=turn[0])) for person, turns in told for turn in turns]
    bench.work_once([RECORD_ACCEPTED])

    assert made(calls, lambda: bench.work_once([ERASE_MILVUS])) == {"delete": 1, "query": 1}
    assert made(calls, lambda: bench.work_once([ERASE_MEM0])) == {"delete": 1, "query": 1}
    until_verified(bench)
    assert made(calls, lambda: bench.work_once([VERIFY])) == {"query": 3}  # episodes, memories, entities

    bench.work()
    assert len(forgotten) == 30
    assert {person.operation(operation)["status"] for person, operation in forgotten} == {"succeeded"}
    assert bench.holds("peanuts") == []


def test_everything_of_a_person_goes_in_thousands(bench: Workbench, calls: Counter[str]) -> None:
    [(ada, _)] = remembered(bench, 1)
    namespace, keys = bench.namespace(ada), [new_id() for _ in range(3000)]
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
        intents = [Intent(pk=key, item_kind="episode", item_id=new_id()) for key in keys]
        vector_keys.announce(tx, subject, "milvus", intents, step_id=0)
        vector_keys.confirm(tx, keys)
    bench.process.episodes.insert([an_episode(namespace, key) for key in keys])
    operation = ada.forget("user")
    bench.work_once([RECORD_ACCEPTED])

    # 3,002 episodes and 2 memories
    assert made(calls, lambda: bench.work_once([ERASE_MILVUS])) == {"delete": 4, "query": 4}
    until_verified(bench)
    assert made(calls, lambda: bench.work_once([VERIFY])) == {"query": 3}  # a namespace in each collection
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.process.episodes.keys(namespace) == set()


def an_episode(namespace: UUID, key: UUID) -> EpisodeVector:
    return EpisodeVector(
        key=key,
        namespace=namespace,
        conversation_id=new_id(),
        episode_id=new_id(),
        message_ids=(new_id(),),
        vector=[1.0, *[0.0] * (DIMENSIONS - 1)],
    )


def test_a_store_that_ignores_one_persons_deletes_holds_up_only_them(
    bench: Workbench, people: list[Person], milvus: FaultyStore
) -> None:
    namespaces = [bench.namespace(person) for person in people]
    milvus.deaf_to.add(namespaces[1])
    operations = forget_all(people)

    bench.work_once([ERASE_MILVUS])

    assert statuses(people, operations, "milvus") == ["succeeded", "ready", "succeeded"]
    waiting = people[1].operation(operations[1])
    assert waiting["last_error"].startswith("residue_found")
    assert [len(bench.process.episodes.keys(namespace)) for namespace in namespaces] == [0, 2, 0]
    milvus.deaf_to.clear()
    bench.hurry()
    bench.work()
    assert people[1].operation(operations[1])["status"] == "succeeded"


def test_copies_nobody_announced_are_found_and_go_too(
    bench: Workbench, people: list[Person], calls: Counter[str]
) -> None:
    namespaces = [bench.namespace(person) for person in people]
    bench.process.episodes.insert([an_episode(namespaces[0], new_id())])
    operations = forget_all(people)

    assert made(calls, lambda: bench.work_once([ERASE_MILVUS])) == {"delete": 1, "query": 1}
    assert len(bench.process.episodes.keys(namespaces[0])) == 1
    until_verified(bench)
    # A search of each collection that should find nothing; then for the one with more: what was announced again, a
    # search, what it found, the proof.
    assert made(calls, lambda: bench.work_once([VERIFY])) == {"delete": 2, "query": 3 + 2}

    assert statuses(people, operations, "verify") == ["succeeded"] * 3
    assert bench.process.episodes.keys(namespaces[0]) == set()


@pytest.mark.parametrize("scope", ["message", "selection"])
def test_an_unannounced_copy_of_a_forgotten_turn_is_erased_and_other_turns_remain(bench: Workbench, scope: str) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    [turn, _] = ada.say(conversation, *TURNS)
    bench.work()
    namespace, stray = bench.namespace(ada), new_id()
    copy = an_episode(namespace, stray)
    made_of = (UUID(turn[1]), new_id())
    bench.process.episodes.insert([replace(copy, conversation_id=UUID(conversation), message_ids=made_of)])

    picked = {"message_id": turn[1]} if scope == "message" else {"ids": [turn[1]]}
    operation = ada.forget(scope, **picked)
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert len(bench.process.episodes.keys(namespace)) == 1
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_an_unannounced_copy_of_what_an_undone_clear_took_goes_with_the_next(bench: Workbench) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    [turn] = ada.say(conversation, TURNS[0])
    bench.work()
    clear = {"conversation_id": conversation}
    undone = ada.post("/api/v1/clear", {**clear, "undo_seconds": 60}, status=202)["op_id"]
    cleared = ada.post("/api/v1/clear", clear, status=202)["op_id"]
    ada.post(f"/api/v1/memory/ops/{undone}/cancel", {}, status=200)
    namespace, stray = bench.namespace(ada), new_id()
    made_of = (UUID(turn[1]), new_id())
    copy = replace(an_episode(namespace, stray), conversation_id=UUID(conversation), message_ids=made_of)
    bench.process.episodes.insert([copy])
    bench.work()
    assert ada.operation(cleared)["status"] == "succeeded"
    assert bench.process.episodes.keys(namespace) == set()


@pytest.mark.parametrize("announced", [True, False])
def test_an_entity_lets_go_of_a_forgotten_memory_whether_it_was_announced_or_not(
    bench: Workbench, *, announced: bool
) -> None:
    [(ada, [turn, _])] = remembered(bench, 1)
    namespace, entity = bench.namespace(ada), new_id()
    [forgotten] = keys_of_memories(bench, turn[0])
    with bench.database.begin() as tx:
        if announced:
            subject = subjects.find_or_create(tx, ada.user_id)
            vector_keys.announce(
                tx, subject, "mem0_entities", [Intent(pk=entity, item_kind="entity", item_id=entity)], step_id=0
            )
            vector_keys.confirm(tx, [entity])
    entities = bench.process.mem0._entities
    with writing(WriteCall(namespace, lambda *_: time.monotonic() + 10)):
        payload = {"data": "peanuts", "user_id": str(namespace), "linked_memory_ids": [str(forgotten)]}
        entities.insert([str(entity)], [[1.0] * DIMENSIONS], [payload])
    operation = ada.forget("message", message_id=turn[0])
    bench.work_once([RECORD_ACCEPTED])

    bench.work_once([ERASE_MEM0])
    assert (entities.keys_of(namespace) == set()) is announced

    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert entities.keys_of(namespace) == set()


def keys_of_memories(bench: Workbench, message_id: str) -> list[UUID]:
    """Return the keys of what was learned from a message."""
    with bench.database.begin() as tx:
        rows = tx.rows(
            """
            select pk from vector_refs v join lineage l on l.derived_kind = v.item_kind and l.derived_id = v.item_id
            where l.source_id = :message and v.store = 'mem0'
            """,
            message=message_id,
        )
    return [row["pk"] for row in rows]


def test_a_row_that_breaks_its_batch_is_left_alone_with_its_error(
    bench: Workbench, people: list[Person], milvus: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison, asked, real = bench.namespace(people[1]), list[int](), milvus.erase

    def erase(targets: Sequence[ErasureTarget], **how: Any) -> list[int]:
        asked.append(len(targets))
        if poison in {target.namespace for target in targets}:
            raise ValueError
        return real(targets, **how)

    monkeypatch.setattr(milvus, "erase", erase)
    operations = forget_all(people)
    bench.work_once([ERASE_MILVUS])

    assert asked == [3, 1, 1, 1]
    assert statuses(people, operations, "milvus") == ["succeeded", "ready", "succeeded"]
    assert people[1].operation(operations[1])["last_error"].startswith("internal_error")
    assert people[0].operation(operations[0])["last_error"] is None


def test_files_go_by_namespace_and_a_place_that_leads_elsewhere_fails_alone(
    bench: Workbench, people: list[Person], tmp_path: Path
) -> None:
    folders = [bench.settings.files_dir / "exports" / str(bench.namespace(person)) for person in people]
    folders[0].mkdir(parents=True)
    (folders[0] / f"{new_id()}.zip").write_text("peanuts")
    folders[1].symlink_to(tmp_path, target_is_directory=True)
    operations = forget_all(people)

    bench.work_once([ERASE_FILES])

    assert statuses(people, operations, "files") == ["succeeded", "failed", "succeeded"]
    assert not folders[0].exists()
    assert people[1].operation(operations[1])["last_error"].startswith("store_misconfigured")


def test_a_lost_lease_closes_nothing_and_its_mates_close(
    bench: Workbench, people: list[Person], milvus: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    operations, real = forget_all(people), milvus.residue
    taken = "update outbox set lease_token = lease_token + 1 where kind = :kind and operation_id = :operation"

    def residue(targets: Sequence[ErasureTarget], **how: Any) -> Any:
        with bench.database.begin() as tx:
            tx.run(taken, kind=ERASE_MILVUS, operation=operations[1])
        return real(targets, **how)

    monkeypatch.setattr(milvus, "residue", residue)
    bench.work_once([ERASE_MILVUS])

    assert statuses(people, operations, "milvus") == ["succeeded", "running", "succeeded"]
    left = "select count(*) from outbox where kind = 'erase.milvus' and state = 'leased' and last_error is null"
    assert bench.count(left) == 1


def test_while_a_store_is_down_its_batch_waits_and_spends_nothing(
    bench: Workbench, people: list[Person], milvus: FaultyStore
) -> None:
    operations = forget_all(people)
    milvus.unavailable = True
    for _ in range(10):
        bench.hurry()
        bench.work_once([ERASE_MILVUS])

    assert bench.process.breaker.is_open
    assert shown(people, operations, "milvus", "attempts") == [FAILURES_TO_OPEN - 1] * 3


def test_a_verification_that_must_wait_does_not_keep_the_others(bench: Workbench, people: list[Person]) -> None:
    namespaces = [bench.namespace(person) for person in people]
    operations = forget_all(people)
    while len(bench.due([VERIFY])) < len(people):
        assert bench.work_once([kind for _, kind in bench.due() if kind != VERIFY])
    with bench.database.begin() as tx:
        values = {"key": new_id(), "item": new_id(), "namespace": namespaces[2]}
        tx.run(
            """
            insert into vector_refs (pk, store, subject_id, namespace, item_kind, item_id, step_id, state, deadline)
            select :key, 'mem0', subject_id, namespace, 'memory', :item, 0, 'intended', now() + interval '1 hour'
            from vector_refs where namespace = :namespace limit 1
            """,
            **values,
        )

    bench.work_once([VERIFY])

    assert statuses(people, operations, "verify") == ["succeeded", "succeeded", "ready"]
    assert people[2].operation(operations[2])["last_error"].startswith("waiting_for_writes")
