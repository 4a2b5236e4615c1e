"""A worker keeps its leases and gives every row its answer, whatever else goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import SubjectBusy
from shared.kernel.locks import CollectionBusy
from shared.outbox.claim import claim_work, postpone
from shared.outbox.job_kinds import INDEX_EPISODE, QUEUES, RECORD_ACCEPTED
from shared.outbox.sql import leasing, outbox
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.outbox import Work
from shared.stores.breaker import Breaker
from tests.support.workbench import TASKS, Workbench
from workers import leases as working
from workers.eraser import tasks as eraser
from workers.leases import LeasedWork


@pytest.fixture
def rows(database: Database) -> list[int]:
    """Queue three rows and return their ids."""

    def add(tx: Transaction) -> list[int]:
        subject = subjects.find_or_create(tx, "ada")
        outbox.add(tx, subject.id, [Work(kind=INDEX_EPISODE, payload={}) for _ in range(3)])
        return [row["id"] for row in tx.rows("select id from outbox order by id")]

    return database.transact(add)


@pytest.fixture
def worker(database: Database) -> LeasedWork:
    return LeasedWork(database, Breaker("milvus"), lease_seconds=15)


def shown(database: Database, column: str) -> list[Any]:
    return database.transact(lambda tx: [row[column] for row in tx.rows(f"select {column} from outbox order by id")])


def close(database: Database) -> Callable[[Lease], None]:
    return lambda lease: database.transact(lambda tx: leasing.close(tx, lease))


def test_a_row_that_cannot_be_put_back_does_not_keep_its_batch_mates_from_it(
    database: Database, rows: list[int], worker: LeasedWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_back(tx: Transaction, lease: Lease, **how: Any) -> None:
        if lease.id == rows[0]:
            raise ValueError("canary")
        postpone(tx, lease, **how)

    monkeypatch.setattr(working, "postpone", put_back)
    with capture_logs() as logs:
        worker.run(rows, lambda leases: worker.put_back(leases, ValueError("canary")))
    assert shown(database, "state") == ["leased", "ready", "ready"]
    assert ("lease.left_to_expire", rows[0]) in [(line["event"], line.get("outbox_id")) for line in logs]
    assert "canary" not in str(logs)


def test_of_a_person_whose_fence_is_taken_one_row_waits_and_nobody_elses(
    database: Database, rows: list[int], worker: LeasedWork
) -> None:
    def add(tx: Transaction) -> int:
        outbox.add(tx, subjects.find_or_create(tx, "bob").id, [Work(kind=INDEX_EPISODE, payload={})])
        return int(tx.value("select max(id) from outbox"))

    bobs = database.transact(add)
    waited: list[int] = []

    def action(leases: Sequence[Lease]) -> list[Callable[[], None]]:
        return [lambda lease=lease: closing(lease) for lease in leases]  # type: ignore[misc]

    def closing(lease: Lease) -> None:
        waited.append(lease.id)
        if lease.id != bobs:
            raise SubjectBusy
        close(database)(lease)

    worker.run([*rows, bobs], lambda leases: worker.attempt_together(leases, action))
    assert waited == [rows[0], bobs]
    assert shown(database, "state") == ["ready", "ready", "ready"]


def test_the_heartbeat_survives_any_error(database: Database, rows: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    real, beats = leasing.extend, list[int]()

    def extend(tx: Transaction, leases: Sequence[Lease], *, lease_seconds: float) -> set[int]:
        beats.append(1)
        if len(beats) < 3:
            raise ValueError("canary")
        return real(tx, leases, lease_seconds=lease_seconds)

    monkeypatch.setattr(leasing, "extend", extend)
    worker = LeasedWork(database, Breaker("milvus"), lease_seconds=0.3)
    [before] = set(shown(database, "lease_until"))
    assert before is None

    def work(_leases: list[Lease]) -> None:
        [claimed] = set(shown(database, "lease_until"))
        deadline = time.monotonic() + 5
        while set(shown(database, "lease_until")) == {claimed}:
            assert time.monotonic() < deadline, "nobody keeps the leases alive any more"
            time.sleep(0.02)

    worker.run(rows, work)


def test_work_that_lost_its_lease_does_not_end_the_heartbeat_of_who_has_it_now(
    database: Database, rows: list[int], worker: LeasedWork
) -> None:
    [late] = database.transact(lambda tx: claim_work(tx, rows[:1], lease_seconds=15))
    holding = worker._holding([late])
    holding.__enter__()
    database.transact(lambda tx: tx.run("update outbox set state = 'ready'"))

    def work(leases: list[Lease]) -> None:
        holding.__exit__(None, None, None)
        assert [lease.token for lease in leases] != [late.token]
        assert list(worker._held.values()) == leases

    worker.run(rows[:1], work)
    assert worker._held == {}


def test_rows_done_one_by_one_are_free_for_others_until_their_turn(
    database: Database, rows: list[int], worker: LeasedWork
) -> None:
    done: list[int] = []

    def work(lease: Lease) -> None:
        if lease.id == rows[0]:
            assert shown(database, "state") == ["leased", "ready", "ready"]
            worker.run_each(rows, work, kinds=QUEUES)  # another worker, woken for the same rows
        done.append(lease.id)
        close(database)(lease)

    worker.run_each(rows, work, kinds=QUEUES)
    assert done == [rows[1], rows[2], rows[0]]
    assert shown(database, "id") == []


def test_rows_done_one_by_one_fail_one_by_one(database: Database, rows: list[int], worker: LeasedWork) -> None:
    def work(lease: Lease) -> None:
        if lease.id == rows[1]:
            raise ValueError
        close(database)(lease)

    worker.run_each(rows, work, kinds=QUEUES)
    assert shown(database, "id") == [rows[1]]
    assert shown(database, "last_error") == ["internal_error"]


@pytest.mark.parametrize(
    ("error", "code"), [(CollectionBusy(), "collection_busy"), (SubjectBusy(), "database_unavailable")]
)
def test_a_lock_that_is_not_to_be_had_costs_no_attempt_and_little_time(
    database: Database, rows: list[int], worker: LeasedWork, error: Exception, code: str
) -> None:
    def work(_lease: Lease) -> None:
        raise error

    worker.run_each(rows, work, kinds=QUEUES)
    assert shown(database, "last_error") == [code] * 3
    assert shown(database, "attempt") == [0] * 3
    assert database.transact(lambda tx: tx.value("select max(available_at) < now() + interval '2 s' from outbox"))


def test_a_long_erasure_holds_up_nobody_elses(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [bench.person() for _ in range(3)]
    for person in people:
        person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    operations = [person.forget("user") for person in people]
    real, waited = eraser.STEPS["erase.postgres"], list[list[str]]()

    def slow(lease: Lease) -> None:
        if not waited:
            waited.append([])
            bench.work()  # another worker, while this one is busy
            pairs = zip(people, operations, strict=True)
            waited[0] += [person.operation(operation)["status"] for person, operation in pairs]
        real(lease)

    monkeypatch.setitem(eraser.STEPS, "erase.postgres", slow)
    bench.work_once([RECORD_ACCEPTED])
    bench.work_once(["erase.postgres"])
    assert waited == [["running", "succeeded", "succeeded"]]
    bench.work()
    assert people[0].operation(operations[0])["status"] == "succeeded"


def test_a_wake_up_from_before_a_restore_hands_no_row_to_a_worker_of_another_kind(bench: Workbench) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    ids = [row_id for row_id, _ in bench.due()]
    for queue in ("ledger", "eraser", "maintenance"):
        TASKS[queue](outbox_ids=ids)
    assert bench.count("select count(*) from outbox where attempt = 0") == len(ids)
    bench.work()
    assert ada.memories() == ["I'm allergic to peanuts."]
