"""Periodic jobs go on whatever fails; each part of a round fails on its own and has its own time."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from shared.kernel.database import Database, DatabaseUnavailable, SubjectBusy
from shared.kernel.locks import CollectionBusy
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


def test_a_scheduled_part_runs_at_once_then_when_due_and_again_after_a_failure() -> None:
    now = [100.0]
    done: list[float] = []
    fails = [False]

    def work() -> int:
        if fails[0]:
            raise DatabaseUnavailable
        done.append(now[0])
        return 1

    part = Every(60, work, now=lambda: now[0])
    for moment in (100.0, 120.0, 159.9, 160.0, 180.0):
        now[0] = moment
        part()
    assert done == [100.0, 160.0]

    now[0], fails[0] = 220.0, True
    with pytest.raises(DatabaseUnavailable):
        part()
    now[0], fails[0] = 240.0, False
    part()
    assert done == [100.0, 160.0, 240.0]


def test_the_first_round_does_every_part_and_queues_a_reconciliation(bench: Workbench, database: Database) -> None:
    parts = parts_of(bench.settings, database)
    with capture_logs() as logs:
        run_round(parts)
        run_round(parts)

    assert not [line for line in logs if line["event"] != "periodic.done"]
    assert {"abandoned", "idempotency_keys", "traces", "reconcile", "archive", "purge"} <= set(parts)
    assert bench.count("select count(*) from operations where type = 'cleanup_reconcile'") == 1
    assert bench.count("select count(*) from outbox where kind in ('reconcile.milvus', 'reconcile.mem0')") == 2
    assert bench.count("select count(*) from operations where type = 'cleanup_purge'") == 0  # nothing was erased
