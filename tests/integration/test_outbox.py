"""Leases, retries and publishing: every outside effect happens, whatever dies in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.outbox.claim import claim_work, postpone, revive_work
from shared.outbox.job_kinds import BATCHES, INDEX_EPISODE, QUEUES
from shared.outbox.sql import leasing, outbox
from shared.outbox.sql.leasing import Lease, LeaseLost
from shared.outbox.sql.outbox import Work
from workers.scheduler.publishing import ROOM_LEAST_SECONDS, ROOM_SECONDS, BrokerUnavailable, Publisher, WakeUp


@pytest.fixture
def queue(database: Database) -> Callable[[int], list[int]]:
    """Queue some rows and return their ids."""

    def add(count: int) -> list[int]:
        def work(tx: Transaction) -> list[int]:
            subject = subjects.find_or_create(tx, "ada")
            outbox.add(tx, subject.id, [Work(kind=INDEX_EPISODE, payload={"n": n}) for n in range(count)])
            return [row["id"] for row in tx.rows("select id from outbox order by id desc limit :n", n=count)][::-1]

        return database.transact(work)

    return add


def claim(database: Database, ids: Sequence[int], seconds: float = 15) -> list[Lease]:
    return database.transact(lambda tx: claim_work(tx, ids, lease_seconds=seconds))


def expire(database: Database) -> None:
    database.transact(lambda tx: tx.run("update outbox set lease_until = now() - interval '1 second'"))


def test_a_second_delivery_of_the_same_ids_claims_nothing(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    ids = queue(3)
    assert [lease.id for lease in claim(database, ids)] == ids
    assert claim(database, ids) == []


def test_many_workers_claim_every_row_exactly_once(database: Database, queue: Callable[[int], list[int]]) -> None:
    ids = queue(60)
    claimed: list[int] = []
    threads = [
        threading.Thread(target=lambda: claimed.extend(lease.id for lease in claim(database, ids))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(claimed) == ids


def test_a_worker_whose_lease_expired_closes_nothing(database: Database, queue: Callable[[int], list[int]]) -> None:
    [row] = queue(1)
    [late] = claim(database, [row])
    expire(database)
    assert database.transact(revive_work).returned == 1
    [current] = claim(database, [row])
    with pytest.raises(LeaseLost):
        database.transact(lambda tx: leasing.close(tx, late))
    with pytest.raises(LeaseLost):
        database.transact(lambda tx: postpone(tx, late, code="internal_error", delay_seconds=0))
    assert database.transact(lambda tx: leasing.extend(tx, [late, current], lease_seconds=15)) == {row}
    database.transact(lambda tx: leasing.close(tx, current))
    assert database.transact(lambda tx: tx.value("select count(*) from outbox")) == 0


def test_a_lost_lease_takes_the_whole_closing_transaction_with_it(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    [row] = queue(1)
    [late] = claim(database, [row])
    expire(database)
    database.transact(revive_work)

    def close_with_effects(tx: Transaction) -> None:
        subjects.find_or_create(tx, "written-without-a-lease")
        leasing.close(tx, late)

    with pytest.raises(LeaseLost):
        database.transact(close_with_effects)
    assert database.transact(lambda tx: subjects.find(tx, "written-without-a-lease")) is None


def test_a_heartbeat_keeps_a_lease_from_expiring(database: Database, queue: Callable[[int], list[int]]) -> None:
    [row] = queue(1)
    [lease] = claim(database, [row], seconds=0.2)
    assert database.transact(lambda tx: leasing.extend(tx, [lease], lease_seconds=60)) == {row}
    assert database.transact(revive_work).returned == 0


def test_waiting_rows_with_the_same_key_coalesce(database: Database) -> None:
    def add_twice(tx: Transaction) -> None:
        subject = subjects.find_or_create(tx, "ada")
        for _ in range(2):
            outbox.add(tx, subject.id, [Work(kind=INDEX_EPISODE, payload={}, dedupe_key="same")])

    database.transact(add_twice)
    assert database.transact(lambda tx: tx.value("select count(*) from outbox")) == 1


def test_an_expired_twin_of_a_waiting_row_gives_way_to_it(database: Database) -> None:
    def add(tx: Transaction) -> None:
        subject = subjects.find_or_create(tx, "ada")
        outbox.add(tx, subject.id, [Work(kind=INDEX_EPISODE, payload={}, dedupe_key="same")])

    database.transact(add)
    [row] = claim(database, range(100_000))
    database.transact(add)
    expire(database)
    assert database.transact(revive_work).returned == 0
    with pytest.raises(LeaseLost):
        database.transact(lambda tx: leasing.close(tx, row))
    [twin] = claim(database, range(100_000))
    database.transact(lambda tx: leasing.close(tx, twin))
    assert database.transact(lambda tx: tx.value("select count(*) from outbox")) == 0


class Broker:
    """Keeps what the scheduler sends."""

    def __init__(self) -> None:
        self.sent: list[WakeUp] = []
        self.down = False

    def __call__(self, wake_up: WakeUp) -> None:
        if self.down:
            raise ConnectionError
        self.sent.append(wake_up)

    @property
    def ids(self) -> list[int]:
        return [row for wake_up in self.sent for row in wake_up.ids]


def test_the_publisher_sends_ids_in_batches_of_one_kind(database: Database, queue: Callable[[int], list[int]]) -> None:
    batch = BATCHES[INDEX_EPISODE]
    ids = queue(batch + 10)
    broker = Broker()
    Publisher(database, broker).turn()
    assert sorted(broker.ids) == ids
    assert {wake_up.queue for wake_up in broker.sent} == {QUEUES[INDEX_EPISODE]}
    assert [len(wake_up.ids) for wake_up in broker.sent] == [batch, 10]


def test_it_looks_again_sooner_while_workers_claim_rows_and_later_while_they_do_not(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    queue(14 * BATCHES[INDEX_EPISODE])
    broker = Broker()
    publisher = Publisher(database, broker)
    publisher.turn()  # finds them
    claim(database, broker.ids)
    pauses = []
    for _ in range(4):
        pauses.append(publisher.turn())
        claim(database, broker.ids)
    assert pauses == [max(ROOM_LEAST_SECONDS, ROOM_SECONDS / 2**n) for n in (1, 2, 3, 4)]
    publisher.turn()
    slower = [publisher.turn() for _ in range(5)]  # nobody claims any
    assert slower == sorted(slower)
    assert slower[-1] == ROOM_SECONDS


def test_what_nobody_claimed_in_15_seconds_is_published_again(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    ids = queue(2)
    broker = Broker()
    clock = [0.0]
    publisher = Publisher(database, broker, now=lambda: clock[0])
    publisher.turn()
    clock[0] += 6
    publisher.turn()
    assert broker.ids == ids
    database.transact(lambda tx: tx.run("update outbox set published_at = now() - interval '16 seconds'"))
    clock[0] += 6
    publisher.turn()
    assert broker.ids == ids + ids


def test_a_broker_that_is_away_loses_nothing(database: Database, queue: Callable[[int], list[int]]) -> None:
    ids = queue(3)
    broker = Broker()
    broker.down = True
    publisher = Publisher(database, broker)
    with pytest.raises(BrokerUnavailable):
        publisher.turn()
    broker.down = False
    publisher.turn()
    assert broker.ids == ids


def test_a_row_that_commits_late_with_a_low_id_is_still_found(
    database: Database, database_url: str, queue: Callable[[int], list[int]]
) -> None:
    other = Database(database_url)
    broker = Broker()
    clock = [0.0]
    publisher = Publisher(database, broker, now=lambda: clock[0])
    publisher.turn()
    with other.begin() as slow:
        subject = subjects.find_or_create(slow, "lin")
        outbox.add(slow, subject.id, [Work(kind=INDEX_EPISODE, payload={})])
        early = queue(1)
        publisher.turn()
        assert broker.ids == early
    publisher.turn()
    assert len(broker.ids) == 2
    other.close()


def test_a_delayed_row_is_published_when_it_is_due_and_not_before(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    [row] = queue(1)
    [lease] = claim(database, [row])
    database.transact(lambda tx: postpone(tx, lease, code="milvus_unavailable", delay_seconds=30))
    broker = Broker()
    publisher = Publisher(database, broker)
    publisher.turn()
    assert broker.ids == []
    database.transact(lambda tx: tx.run("update outbox set available_at = now()"))
    clock_free = Publisher(database, broker)
    clock_free.turn()
    assert broker.ids == [row]


def test_the_claim_is_measured_from_when_the_row_was_due(database: Database, queue: Callable[[int], list[int]]) -> None:
    [row] = queue(1)
    [lease] = claim(database, [row])
    assert 0 <= lease.waited_seconds < 5
    assert lease.attempt == 1


def test_rows_are_found_by_key_also_by_plans_made_while_the_table_was_empty(
    database: Database, queue: Callable[[int], list[int]]
) -> None:
    """The other indexes keep every row there ever was while somebody holds a snapshot open."""

    def scans() -> dict[str, int]:
        database.transact(lambda tx: tx.value("select pg_stat_force_next_flush()"))
        rows = database.transact(
            lambda tx: tx.rows("select indexrelname, idx_scan from pg_stat_user_indexes where relname = 'outbox'")
        )
        return {row["indexrelname"]: row["idx_scan"] for row in rows}

    others = ("outbox_due", "outbox_ready", "outbox_leased", "outbox_failed")
    leases = [lease for _ in range(12) for lease in claim(database, queue(2))]
    waiting = [number for _ in range(12) for number in queue(1)]
    before = scans()
    for number, lease in enumerate(leases):  # enough of each for a plan that is kept
        match number % 3:
            case 0:
                database.transact(lambda tx, lease=lease: leasing.close(tx, lease))  # type: ignore[misc]
            case 1:
                database.transact(lambda tx, lease=lease: leasing.extend(tx, [lease], lease_seconds=15))  # type: ignore[misc]
            case _:
                database.transact(lambda tx, lease=lease: leasing.still_held(tx, [lease]))  # type: ignore[misc]
    for number in waiting:
        claim(database, [number])
    after = scans()
    assert {name: after[name] - before[name] for name in others} == dict.fromkeys(others, 0)
    assert after["outbox_pkey"] > before["outbox_pkey"]
