"""Rows with the same dedupe key: at most one waits, whatever happens to the others."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.outbox.claim import claim_work, give_up, postpone, revive_work
from shared.outbox.job_kinds import DISCARD_VECTORS
from shared.outbox.sql import outbox
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.outbox import Work
from workers.scheduler.publishing import Publisher

PUT_BACK = {
    "postponed": lambda tx, lease: postpone(tx, lease, code="milvus_unavailable", delay_seconds=30),
    "given up": lambda tx, lease: give_up(tx, lease, code="store_misconfigured"),
}


def add(tx: Transaction, key: str | None = "same", **payload: Any) -> None:
    subject = subjects.find_or_create(tx, "ada")
    outbox.add(tx, subject.id, [Work(kind=DISCARD_VECTORS, payload=payload, dedupe_key=key)])


def claim_all(database: Database) -> list[Lease]:
    ids = database.transact(lambda tx: [row["id"] for row in tx.rows("select id from outbox")])
    return database.transact(lambda tx: claim_work(tx, ids, lease_seconds=15))


def leased(database: Database, key: str | None = "same", **payload: Any) -> Lease:
    database.transact(lambda tx: add(tx, key, **payload))
    [lease] = claim_all(database)
    return lease


def run_out(database: Database) -> None:
    """Let leases expire, and the hour of failed rows come."""
    database.transact(
        lambda tx: tx.run(
            """
            update outbox set lease_until = now() - interval '1 s', available_at = now() - interval '1 s'
            where state <> 'ready'
            """
        )
    )


def rows(database: Database) -> list[tuple[str, Any]]:
    found = database.transact(lambda tx: tx.rows("select state, payload from outbox order by id"))
    return [(row["state"], row["payload"].get("n")) for row in found]


@pytest.mark.parametrize("failed", [0, 1, 2])
def test_twins_that_fall_due_together_return_as_the_newest_of_them(database: Database, failed: int) -> None:
    leases = [leased(database, n=n) for n in range(2)]
    for lease in leases[:failed]:
        database.transact(lambda tx, lease=lease: give_up(tx, lease, code="store_misconfigured"))
    keyless = [leased(database, key=None, n=n) for n in (7, 8)]
    other = leased(database, key="other", n=9)
    run_out(database)
    sent: list[int] = []

    publisher = Publisher(database, lambda wake_up: sent.extend(wake_up.ids))
    publisher.turn()
    publisher.turn()

    assert rows(database) == [("ready", 1), ("ready", 7), ("ready", 8), ("ready", 9)]
    assert sent == [leases[1].id, *(lease.id for lease in keyless), other.id]


def test_a_twin_that_becomes_ready_while_another_is_revived_wins(database: Database, database_url: str) -> None:
    leased(database, n=1)
    run_out(database)
    _wins_against(database, database_url, revive_work)
    assert rows(database) == [("ready", 2)]


def test_a_twin_that_becomes_ready_while_another_is_put_back_wins(database: Database, database_url: str) -> None:
    lease = leased(database, n=1)
    _wins_against(database, database_url, lambda tx: PUT_BACK["postponed"](tx, lease))
    assert rows(database) == [("ready", 2)]


def _wins_against(database: Database, database_url: str, change: Callable[[Transaction], object]) -> None:
    """Run a change while another transaction has a twin that is not committed yet."""
    with ThreadPoolExecutor(1) as threads, psycopg.connect(database_url, autocommit=True) as watcher:
        with database.begin() as tx:
            add(tx, n=2)
            changing = threads.submit(database.transact, change)
            deadline = time.monotonic() + 10
            while not _somebody_waits_for_a_lock(watcher):
                assert time.monotonic() < deadline
                time.sleep(0.005)
        changing.result(10)


def _somebody_waits_for_a_lock(watcher: psycopg.Connection) -> bool:
    waiting = watcher.execute(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    return waiting.rowcount > 0


@pytest.mark.parametrize("how", PUT_BACK)
def test_a_row_that_is_put_back_beside_its_waiting_twin_gives_way_to_it(database: Database, how: str) -> None:
    lease = leased(database, n=1)
    database.transact(lambda tx: add(tx, n=2))
    database.transact(lambda tx: PUT_BACK[how](tx, lease))
    assert rows(database) == [("ready", 2)]


def test_a_leased_twin_may_have_read_old_state_so_the_work_is_queued_again(database: Database) -> None:
    leased(database, n=1)
    database.transact(lambda tx: add(tx, n=2))
    assert rows(database) == [("leased", 1), ("ready", 2)]


def test_queueing_what_has_failed_makes_it_due_at_once_and_its_attempts_count_on(database: Database) -> None:
    lease = leased(database, n=1)
    database.transact(lambda tx: PUT_BACK["given up"](tx, lease))
    for n in (2, 3):
        database.transact(lambda tx, n=n: add(tx, n=n))
    assert rows(database) == [("ready", 3)]  # what waits was read by nobody: the newest payload is the right one
    [again] = claim_all(database)
    assert again.attempt == lease.attempt + 1


def test_rows_of_an_operation_never_coalesce() -> None:
    with pytest.raises(ValueError, match="coalesces"):
        Work(kind=DISCARD_VECTORS, payload={}, operation_id=uuid4(), dedupe_key="same")
