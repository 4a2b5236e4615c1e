"""Periodic jobs go on whatever fails; each part of a round fails on its own and has its own time."""

from __future__ import annotations

import threading

import pytest
from structlog.testing import capture_logs

from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable, SubjectBusy
from shared.kernel.locks import CollectionBusy
from tests.support.rounds import time_passes
from tests.support.workbench import Workbench
from workers.rounds import Every, run_round
from workers.scheduler.periodic import parts_of

PARTS = ["one", "other", "third"]


@pytest.mark.parametrize("failing", PARTS)
@pytest.mark.parametrize(
    ("error", "event"),
    [
        (DatabaseUnavailable("canary"), "periodic.postponed"),
        (SubjectBusy("canary"), "periodic.postponed"),
        (CollectionBusy("canary"), "periodic.postponed"),
        (ValueError("canary"), "periodic.failed"),
    ],
)
def test_a_part_that_fails_keeps_no_other_from_being_done(failing: str, error: Exception, event: str) -> None:
    done: list[str] = []

    def part(name: str) -> int:
        if name == failing:
            raise error
        done.append(name)
        return 1

    with capture_logs() as logs:
        run_round({name: lambda name=name: part(name) for name in PARTS})  # type: ignore[misc]
    assert done == [part for part in PARTS if part != failing]
    assert [line["part"] for line in logs if line["event"] == event] == [failing]
    assert "canary" not in str([{**line, "exc_info": None} for line in logs])


def test_a_part_with_an_interval_runs_at_once_then_when_due_and_after_a_failure(database: Database) -> None:
    done: list[str] = []
    fails = [False]

    def work() -> int:
        if fails[0]:
            raise DatabaseUnavailable
        done.append("again")
        return 1

    part = Every(database, "tested", 600, work)
    for seconds in (0, 590, 11, 590):
        time_passes(database, "tested", seconds)
        part()
    assert len(done) == 2

    time_passes(database, "tested", 11)
    fails[0] = True
    with pytest.raises(DatabaseUnavailable):
        part()
    fails[0] = False
    part()
    assert len(done) == 3


def test_of_several_schedulers_one_runs_a_part_however_often_they_start(database: Database) -> None:
    done: list[int] = []
    inside, over = threading.Event(), threading.Event()

    def slowly() -> int:
        inside.set()
        over.wait(30)
        done.append(1)
        return 1

    first = threading.Thread(target=Every(database, "tested", 3600, slowly))
    first.start()
    inside.wait(30)
    for _ in range(5):
        assert Every(database, "tested", 3600, lambda: done.append(2))() is None, "another runs it"
    over.set()
    first.join()
    for _ in range(5):
        Every(database, "tested", 3600, lambda: done.append(2))()
    assert done == [1]
    time_passes(database, "tested", 61)
    again = Every(database, "tested", 3600, lambda: done.append(3))
    again()
    again()
    assert done == [1, 3], "a start after more than a minute looks at everything"


def test_the_first_round_does_every_part_and_queues_a_reconciliation(bench: Workbench, database: Database) -> None:
    parts = parts_of(bench.settings, database)
    with capture_logs() as logs:
        run_round(parts)
        run_round(parts)

    assert not [line for line in logs if line["event"] != "periodic.done"]
    assert {"abandoned", "idempotency_keys", "traces", "reconcile", "forgotten", "archive", "purge"} <= set(parts)
    assert bench.count("select count(*) from operations where type = 'cleanup_reconcile'") == 1
    assert bench.count("select count(*) from outbox where kind in ('reconcile.milvus', 'reconcile.mem0')") == 2
    assert bench.count("select count(*) from operations where type = 'cleanup_purge'") == 0  # nothing was erased
