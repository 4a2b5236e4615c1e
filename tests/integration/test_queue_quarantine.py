"""What keeps losing its worker travels alone, then apart from all else, and in the end fails for an hour."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.outbox.claim import claim_work, give_up, postpone, revive_work
from shared.outbox.error_codes import describe
from shared.outbox.job_kinds import (
    DISCARD_VECTORS,
    ERASE_POSTGRES,
    INDEX_EPISODE,
    LOST_EXPIRIES,
    QUARANTINE,
    QUARANTINE_EXPIRIES,
    QUEUES,
)
from shared.outbox.sql import outbox, scheduling
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.outbox import Work
from tests.support.workbench import Person, Workbench
from workers.scheduler.publishing import Publisher, WakeUp


def queue(database: Database, kind: str, count: int, key: str | None = None) -> list[int]:
    """Queue rows and return their ids."""

    def add(tx: Transaction) -> list[int]:
        subject = subjects.find_or_create(tx, "ada")
        outbox.add(tx, subject.id, [Work(kind=kind, payload={}, dedupe_key=key) for _ in range(count)])
        return [row["id"] for row in tx.rows("select id from outbox order by id desc limit :n", n=count)][::-1]

    return database.transact(add)


def published(database: Database) -> list[WakeUp]:
    """Let a publisher that has just started look twice: the second time it publishes what it brought back."""
    database.transact(lambda tx: tx.run("update outbox set published_at = null where state = 'ready'"))
    sent: list[WakeUp] = []
    publisher = Publisher(database, sent.append)
    publisher.turn()
    publisher.turn()
    return sent


def claim(database: Database, row: int) -> Lease:
    [lease] = database.transact(lambda tx: claim_work(tx, [row], lease_seconds=15))
    return lease


def lose_worker(database: Database, *rows: int, times: int = 1) -> None:
    """Let whoever claims the rows die, so many times."""
    for _ in range(times):
        claimed = database.transact(lambda tx: claim_work(tx, rows, lease_seconds=15))
        assert len(claimed) == len(rows)
        database.transact(lambda tx: tx.run("update outbox set lease_until = now() - interval '1 s'"))
        database.transact(revive_work)


def make_hour_pass(database: Database) -> None:
    database.transact(
        lambda tx: tx.run("update outbox set available_at = available_at - interval '1 h' where state = 'failed'")
    )


def row(database: Database, row_id: int) -> tuple[str, int, str | None]:
    found = database.transact(
        lambda tx: tx.row("select state, expiries, last_error from outbox where id = :id", id=row_id)
    )
    assert found is not None
    return found["state"], found["expiries"], found["last_error"]


def test_only_rows_that_lost_their_worker_are_published_alone(database: Database) -> None:
    ids = queue(database, INDEX_EPISODE, 5)
    lose_worker(database, ids[1], ids[3])
    assert sorted(wake_up.ids for wake_up in published(database)) == [(ids[0], ids[2], ids[4]), (ids[1],), (ids[3],)]


def test_a_row_that_lost_three_workers_is_quarantined_alone_under_its_kinds_task(database: Database) -> None:
    [mate, *poison] = queue(database, ERASE_POSTGRES, 3)
    worker = QUEUES[ERASE_POSTGRES]
    lose_worker(database, *poison, times=QUARANTINE_EXPIRIES - 1)
    alone = [WakeUp(worker=worker, queue=worker, ids=(each,)) for each in (mate, *poison)]
    assert published(database) == alone
    lose_worker(database, *poison)
    apart = [WakeUp(worker=worker, queue=QUARANTINE, ids=(each,)) for each in poison]
    assert published(database) == [alone[0], *apart]
    assert database.transact(scheduling.depth).quarantined == 2


@pytest.mark.parametrize(
    "come_back",
    [
        lambda tx, lease: postpone(tx, lease, code="milvus_unavailable", delay_seconds=0),
        lambda tx, lease: postpone(tx, lease, code="collection_busy", delay_seconds=0, spend_attempt=False),
        lambda tx, lease: give_up(tx, lease, code="store_misconfigured"),
    ],
)
def test_a_row_that_comes_back_with_an_error_did_not_lose_its_worker(
    database: Database, come_back: Callable[[Transaction, Lease], None]
) -> None:
    [row_id] = queue(database, INDEX_EPISODE, 1)
    lose_worker(database, row_id, times=LOST_EXPIRIES - 1)
    lease = claim(database, row_id)
    database.transact(lambda tx: come_back(tx, lease))
    assert row(database, row_id)[1] == 0
    make_hour_pass(database)
    [wake_up] = published(database)
    assert wake_up.queue == QUEUES[INDEX_EPISODE]


def test_after_six_lost_workers_a_row_fails_for_an_hour_and_returns_to_quarantine(database: Database) -> None:
    [row_id] = queue(database, INDEX_EPISODE, 1)
    lose_worker(database, row_id, times=LOST_EXPIRIES - 1)
    assert row(database, row_id)[:2] == ("ready", LOST_EXPIRIES - 1)
    claim(database, row_id)
    database.transact(lambda tx: tx.run("update outbox set lease_until = now() - interval '1 s'"))
    with capture_logs() as logs:
        assert published(database) == []
    assert ("work.worker_lost", INDEX_EPISODE, 1) in [(log["event"], log.get("kind"), log.get("count")) for log in logs]
    assert row(database, row_id) == ("failed", QUARANTINE_EXPIRIES, "worker_lost")
    assert published(database) == []

    make_hour_pass(database)
    assert published(database) == [WakeUp(worker=QUEUES[INDEX_EPISODE], queue=QUARANTINE, ids=(row_id,))]
    lose_worker(database, row_id, times=LOST_EXPIRIES - QUARANTINE_EXPIRIES)
    assert row(database, row_id)[0] == "failed"


def test_queueing_again_what_keeps_losing_its_worker_puts_it_into_quarantine(database: Database) -> None:
    [row_id] = queue(database, DISCARD_VECTORS, 1, key="same")
    lose_worker(database, row_id, times=LOST_EXPIRIES)
    [again] = queue(database, DISCARD_VECTORS, 1, key="same")
    assert published(database) == [WakeUp(worker=QUEUES[DISCARD_VECTORS], queue=QUARANTINE, ids=(again,))]


@pytest.mark.parametrize("twin_waits", [True, False])
def test_the_twin_that_stays_inherits_how_often_the_other_lost_its_worker(database: Database, twin_waits: bool) -> None:
    [old] = queue(database, DISCARD_VECTORS, 1, key="same")
    lose_worker(database, old, times=QUARANTINE_EXPIRIES - 1)
    claim(database, old)
    [new] = queue(database, DISCARD_VECTORS, 1, key="same")
    [stranger] = queue(database, DISCARD_VECTORS, 1, key="other")
    if not twin_waits:
        claim(database, new)
    database.transact(lambda tx: tx.run("update outbox set lease_until = now() - interval '1 s'"))
    database.transact(revive_work)
    shown = database.transact(lambda tx: tx.rows("select id, state, expiries from outbox order by id"))
    assert [tuple(each.values()) for each in shown] == [(new, "ready", QUARANTINE_EXPIRIES), (stranger, "ready", 0)]


# --- What a person sees of it


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def operation(ada: Person) -> str:
    [(question, _)] = ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    return ada.forget("message", message_id=question)


def step_of(bench: Workbench, operation: str) -> tuple[int, str]:
    """Return the first step of an operation that is due: its row, its kind."""
    [found, *_] = bench.database.transact(
        lambda tx: tx.rows("select id, kind from outbox where operation_id = :id order by id", id=operation)
    )
    return found["id"], found["kind"]


def test_a_step_that_keeps_losing_its_worker_is_shown_as_failed_and_can_be_retried(
    bench: Workbench, ada: Person, operation: str
) -> None:
    row_id, kind = step_of(bench, operation)
    lose_worker(bench.database, row_id, times=LOST_EXPIRIES)
    shown = ada.operation(operation)
    assert shown["status"] == "failed"
    [failed] = [step for step in shown["steps"] if step["status"] == "failed"]
    assert failed["last_error"] == shown["last_error"] == describe("worker_lost")
    assert failed["next_retry_at"] is not None
    gave_up = "select count(*) from events where type = 'StepFailed' and data @> %(data)s::jsonb"
    assert bench.count(gave_up, data=json.dumps({"step": kind, "code": "worker_lost"})) == 1

    ada.post(f"/api/v1/memory/ops/{operation}/retry", {}, status=202)
    assert ada.operation(operation)["status"] == "running"
    [wake_up] = [wake_up for wake_up in published(bench.database) if row_id in wake_up.ids]
    assert wake_up == WakeUp(worker=QUEUES[kind], queue=QUARANTINE, ids=(row_id,))
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
