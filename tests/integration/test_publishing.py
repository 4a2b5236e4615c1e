"""The scheduler goes on whatever fails, and sends what is most urgent first."""

from __future__ import annotations

from functools import partial

import pytest
from structlog.testing import capture_logs

from shared.kernel import subjects
from shared.kernel.database import Database
from shared.outbox.claim import claim_work
from shared.outbox.job_kinds import (
    BATCH_DEFAULT,
    BATCHES,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    INDEX_EPISODE,
    LEARN_MEMORY,
    QUEUES,
    VERIFY,
)
from shared.outbox.sql import leasing, outbox, scheduling
from shared.outbox.sql.outbox import Work
from workers.scheduler import publishing
from workers.scheduler.fairness import ahead
from workers.scheduler.publishing import BrokerUnavailable, Publisher, WakeUp, forever


def queue(database: Database, *work: tuple[str, int]) -> list[int]:
    """Queue rows of (kind, priority) and return their ids."""

    def add(tx: outbox.Transaction) -> list[int]:
        subject = subjects.find_or_create(tx, "ada")
        outbox.add(tx, subject.id, [Work(kind=kind, payload={}, priority=priority) for kind, priority in work])
        return [row["id"] for row in tx.rows("select id from outbox order by id desc limit :n", n=len(work))][::-1]

    return database.transact(add)


def test_the_publisher_survives_any_error_and_says_nothing_of_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "AWAY_SECONDS", 0.01)
    turns: list[int] = []

    class Broken:
        def turn(self) -> float:
            turns.append(1)
            raise ValueError("canary")

    with capture_logs() as logs:
        forever(Broken(), lambda _seconds: None, lambda: len(turns) == 3)  # type: ignore[arg-type]
    assert [line["event"] for line in logs] == ["publishing.failed"] * 3
    assert "canary" not in str(logs)


@pytest.mark.parametrize("part", ["revive_work", "depth"])
def test_a_reaper_or_a_measurement_that_fails_does_not_stop_publishing(
    database: Database, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def fail(_tx: object) -> int:
        raise ValueError("canary")

    monkeypatch.setattr(publishing if part == "revive_work" else scheduling, part, fail)
    ids = queue(database, (INDEX_EPISODE, 0))
    sent: list[int] = []
    with capture_logs() as logs:
        Publisher(database, lambda wake_up: sent.extend(wake_up.ids)).turn()
    assert sent == ids
    assert [line["event"] for line in logs] == ["publishing.part_failed"]


def test_rows_that_were_put_back_take_nobodys_place(database: Database) -> None:
    ids = queue(database, *[(LEARN_MEMORY, 0)] * ahead(QUEUES[LEARN_MEMORY]))
    sent: list[int] = []
    publisher = Publisher(database, lambda wake_up: sent.extend(wake_up.ids))
    publisher.turn()
    assert sorted(sent) == ids
    for lease in database.transact(lambda tx: claim_work(tx, ids, lease_seconds=60)):
        put_back = partial(leasing.put_back, lease=lease, code="undo_possible", delay_seconds=60.0)
        database.transact(put_back)
    [another] = queue(database, (LEARN_MEMORY, 0))
    publisher.turn()
    assert sent[len(ids) :] == [another]


def test_after_a_broker_error_all_unsent_jobs_are_sent_at_once_most_urgent_first(database: Database) -> None:
    index, verify, learn, erase = queue(database, (INDEX_EPISODE, 0), (VERIFY, 10), (LEARN_MEMORY, 0), (VERIFY, 10))
    sent: list[tuple[str, tuple[int, ...]]] = []
    room = [1]

    def publish(wake_up: WakeUp) -> None:
        if len(sent) == room[0]:
            raise ConnectionError
        sent.append((wake_up.queue, wake_up.ids))

    publisher = Publisher(database, publish)
    with pytest.raises(BrokerUnavailable):
        publisher.turn()
    assert sent == [(QUEUES[VERIFY], (verify, erase))]
    room[0] = 10
    publisher.turn()
    assert sent[1:] == [(QUEUES[INDEX_EPISODE], (index,)), (QUEUES[LEARN_MEMORY], (learn,))]


def test_what_was_unsent_is_found_although_newer_rows_moved_the_mark(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "SLACK", 0)
    [row] = queue(database, (INDEX_EPISODE, 0))
    sent: list[int] = []
    down = [True]

    def publish(wake_up: WakeUp) -> None:
        if down[0]:
            raise ConnectionError
        sent.extend(wake_up.ids)

    publisher = Publisher(database, publish, now=lambda: 100.0)
    with pytest.raises(BrokerUnavailable):
        publisher.turn()
    down[0] = False
    publisher.turn()
    assert sent == [row]


def test_jobs_handled_singly_are_sent_in_small_messages_and_batch_jobs_in_large_ones(
    database: Database,
) -> None:
    queue(database, *[(ERASE_POSTGRES, 10)] * 40, *[(ERASE_MILVUS, 10)] * 60)
    sent: list[WakeUp] = []
    Publisher(database, sent.append).turn()
    sizes = [len(wake_up.ids) for wake_up in sent]
    assert sizes == [BATCH_DEFAULT] * 5 + [BATCHES[ERASE_MILVUS], 10]
    assert max(sizes) <= 50


def test_a_kind_of_a_newer_release_does_not_stop_the_others(database: Database) -> None:
    _, known = queue(database, ("from.the_future", 10), (ERASE_POSTGRES, 10))
    sent: list[int] = []
    Publisher(database, lambda wake_up: sent.extend(wake_up.ids)).turn()
    assert sent == [known]


def test_only_what_is_due_counts_as_ready(database: Database) -> None:
    queue(database, (INDEX_EPISODE, 0), (INDEX_EPISODE, 0))
    later = queue(database, (INDEX_EPISODE, 0))
    database.transact(
        lambda tx: tx.run("update outbox set available_at = now() + interval '1 h' where id = any(:ids)", ids=later)
    )
    depth = database.transact(scheduling.depth)
    assert (depth.ready, depth.leased, depth.failed) == (2, 0, 0)
    assert 0 <= depth.oldest_seconds < 60
    database.transact(lambda tx: tx.run("delete from outbox where id <> all(:ids)", ids=later))
    depth = database.transact(scheduling.depth)
    assert (depth.ready, depth.oldest_seconds) == (0, 0.0)
