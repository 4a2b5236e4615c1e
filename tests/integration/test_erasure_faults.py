"""What can go wrong while erasing, and that it ends erased and proven all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.erasure.discard_vectors import queue_abandoned
from shared.outbox.claim import claim_work
from shared.outbox.job_kinds import RECORD_ACCEPTED, VERIFY
from shared.outbox.sql.leasing import Lease
from shared.outbox.stages import close_step
from shared.stores.breaker import FAILURES_TO_OPEN
from shared.stores.port import StoreMisconfigured
from tests.support.faults import FaultyStore
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def milvus(bench: Workbench) -> FaultyStore:
    faulty = FaultyStore(bench.process._opened("_episodes"))
    bench.process.__dict__["_episodes"] = faulty
    return faulty


@pytest.fixture
def mem0(bench: Workbench) -> FaultyStore:
    faulty = FaultyStore(bench.process._opened("_mem0"))
    bench.process.__dict__["_mem0"] = faulty
    return faulty


def step(operation: dict[str, object], name: str) -> dict[str, object]:
    steps = operation["steps"]
    assert isinstance(steps, list)
    return next(one for one in steps if one["name"] == name)


def test_with_milvus_down_nothing_is_served_postgres_is_erased_and_milvus_follows(
    bench: Workbench, ada: Person, milvus: FaultyStore
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    milvus.unavailable = True

    operation = ada.forget("conversation", conversation_id=conversation)
    assert ada.memories() == []
    bench.work_once()
    bench.work_once()

    shown = ada.operation(operation)
    assert shown["status"] == "running"
    assert (step(shown, "postgres")["status"], step(shown, "mem0")["status"]) == ("succeeded", "succeeded")
    assert step(shown, "milvus")["last_error"].startswith("milvus_unavailable")  # type: ignore[attr-defined]
    assert step(shown, "milvus")["next_retry_at"] is not None
    assert shown["retry_count"] >= 1
    assert bench.holds("peanuts") == []

    milvus.unavailable = False
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert ada.operation(operation)["last_error"] is None


@pytest.mark.parametrize("store", ["milvus", "mem0"])
def test_a_store_that_ignores_a_delete_never_lets_a_step_close(
    bench: Workbench, ada: Person, request: pytest.FixtureRequest, store: str
) -> None:
    faulty: FaultyStore = request.getfixturevalue(store)
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    faulty.ignores_deletes = 2

    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work_once([RECORD_ACCEPTED])
    bench.work_once()
    shown = ada.operation(operation)
    assert step(shown, store)["status"] == "ready"
    assert step(shown, store)["last_error"].startswith("residue_found")  # type: ignore[attr-defined]

    for _ in range(4):
        bench.hurry()
        bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()


def test_a_misconfigured_store_fails_visibly_and_the_person_can_retry(
    bench: Workbench, ada: Person, milvus: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()

    def refuse(*_targets: object, **_how: object) -> list[int]:
        raise StoreMisconfigured("milvus", "credentials")

    monkeypatch.setattr(milvus, "erase", refuse)
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work()
    shown = ada.operation(operation)
    assert (shown["status"], step(shown, "milvus")["status"]) == ("failed", "failed")
    assert shown["last_error"].startswith("store_misconfigured")

    monkeypatch.undo()
    retried = ada.post(f"/api/v1/memory/ops/{operation}/retry", {}, status=202)
    assert retried["retried_steps"] == 1
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.count("select count(*) from events where type = 'OperationRetried'") == 1


def test_a_failed_step_is_tried_again_by_itself_when_its_hour_has_come(
    bench: Workbench, ada: Person, milvus: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()

    def refuse(*_targets: object, **_how: object) -> list[int]:
        raise StoreMisconfigured("milvus", "credentials")

    monkeypatch.setattr(milvus, "erase", refuse)
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work()
    monkeypatch.undo()
    assert bench.work_once() == 0
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_verification_waits_until_an_announced_write_can_no_longer_arrive(
    bench: Workbench, ada: Person, milvus: FaultyStore
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))

    def lose_the_answer() -> None:
        raise TimeoutError

    milvus.after_insert = lose_the_answer
    bench.work_once(["episode.index"])
    assert bench.count("select count(*) from vector_refs where state = 'intended'") == 1
    operation = ada.forget("conversation", conversation_id=conversation)
    for _ in range(4):
        bench.work_once()

    shown = ada.operation(operation)
    assert shown["status"] == "running"
    assert step(shown, "verify")["last_error"].startswith("waiting_for_writes")  # type: ignore[attr-defined]

    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now()")
    milvus.after_insert = None
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.process.episodes.keys(bench.namespace(ada)) == set()


@pytest.mark.parametrize("scope", ["message", "conversation", "user"])
def test_a_forget_between_write_and_confirmation_wins(
    bench: Workbench, ada: Person, milvus: FaultyStore, scope: str
) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    before = bench.namespace(ada)
    operations = []
    target = {"message": {"message_id": question}, "conversation": {"conversation_id": conversation}, "user": {}}
    milvus.after_insert = lambda: operations.append(ada.forget(scope, **target[scope]))

    bench.work_once(["episode.index"])
    milvus.after_insert = None
    bench.work()

    assert ada.operation(operations[0])["status"] == "succeeded"
    assert bench.process.episodes.keys(before) == set()
    assert bench.process.mem0.keys(before) == set()
    assert bench.count("select count(*) from episodes") == 0
    assert bench.count("select count(*) from memories") == 0


def test_a_key_whose_item_never_came_to_be_is_discarded(bench: Workbench, ada: Person, milvus: FaultyStore) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))

    def lose_the_answer() -> None:
        raise TimeoutError

    milvus.after_insert = lose_the_answer
    bench.work_once(["episode.index"])
    milvus.after_insert = None
    bench.hurry()
    bench.work()
    assert len(bench.process.episodes.keys(bench.namespace(ada))) == 2
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - interval '1 hour' where state = 'intended'")
    bench.database.transact(queue_abandoned)
    bench.work()
    assert len(bench.process.episodes.keys(bench.namespace(ada))) == 1
    assert bench.count("select count(*) from vector_refs where state = 'intended'") == 0
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_overlapping_forgets_both_end_erased(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, answer), _] = ada.say(conversation, ("I'm allergic to peanuts.", "Noted."), ("I live in Rome.", "ok"))
    bench.work()
    operations = [
        ada.forget("message", message_id=question),
        ada.forget("message", message_id=answer, cascade=True),
        ada.forget("conversation", conversation_id=conversation),
        ada.forget("user"),
    ]
    bench.work()
    assert {ada.operation(one)["status"] for one in operations} == {"succeeded"}
    assert bench.holds("peanuts") == []
    assert bench.count("select count(*) from vector_refs") == 0
    assert bench.count("select count(*) from lineage") == 0
    assert bench.count("select count(*) from hides") == 0


def test_a_store_that_is_down_spends_no_attempts_and_is_hardly_asked(
    bench: Workbench, ada: Person, milvus: FaultyStore
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    milvus.unavailable = True
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work_once([RECORD_ACCEPTED])
    for _ in range(20):
        bench.hurry()
        bench.work_once(["erase.milvus"])
    shown = ada.operation(operation)
    assert bench.process.breaker.is_open
    assert step(shown, "milvus")["attempts"] == FAILURES_TO_OPEN - 1
    assert shown["status"] == "running"

    milvus.unavailable = False
    bench.process.breaker._probe_at = 0
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_steps_that_close_at_once_let_the_next_start_once_whoever_is_last(bench: Workbench, ada: Person) -> None:
    turns = [(f"I live in {city}.", "Nice.") for city in ("Rome", "Berlin", "Kyoto")]
    told = ada.say(ada.conversation(), *turns)
    bench.work()
    operations = [ada.forget("message", message_id=question) for question, _ in told]
    bench.work_once([RECORD_ACCEPTED])
    ids = [row_id for row_id, _ in bench.due()]
    leases = bench.database.transact(lambda tx: claim_work(tx, ids, lease_seconds=15))
    assert len(leases) == 4 * len(operations)

    def close(lease: Lease) -> None:
        bench.database.transact(lambda tx: close_step(tx, lease, {"erased": 1}))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(close, leases))

    assert [kind for _, kind in bench.due()] == [VERIFY] * len(operations)
    for operation in operations:
        shown = ada.operation(operation)
        assert (shown["status"], shown["progress"]) == ("running", pytest.approx(5 / len(shown["steps"])))
