"""An operation is shown as what its steps are: a failed one is not hidden by another that runs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from shared.outbox.claim import claim_work, give_up, postpone, revive_work
from shared.outbox.job_kinds import RECORD_ACCEPTED
from shared.outbox.sql.leasing import Lease
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def operation(ada: Person) -> str:
    [(question, _)] = ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    return ada.forget("message", message_id=question)


@pytest.fixture
def erasing(bench: Workbench, operation: str) -> str:
    """Return the operation once its first stage is over, and the stores are to be erased."""
    assert bench.work_once([RECORD_ACCEPTED]) == 1
    return operation


def claim(bench: Workbench, kind: str) -> Lease:
    with bench.database.begin() as tx:
        rows = tx.rows("select id from outbox where kind = :kind", kind=kind)
        [lease] = claim_work(tx, [row["id"] for row in rows], lease_seconds=15)
    return lease


def fail(bench: Workbench, kind: str) -> None:
    lease = claim(bench, kind)
    bench.database.transact(lambda tx: give_up(tx, lease, code="store_misconfigured"))


def test_an_operation_runs_once_a_step_has_started_and_while_it_waits(
    bench: Workbench, ada: Person, operation: str
) -> None:
    assert ada.operation(operation)["status"] == "pending"
    lease = claim(bench, RECORD_ACCEPTED)
    assert ada.operation(operation)["status"] == "running"
    bench.database.transact(lambda tx: postpone(tx, lease, code="ledger_unavailable", delay_seconds=9))
    assert ada.operation(operation)["status"] == "running"


def test_a_failed_step_stays_visible_while_others_run_wait_and_end(bench: Workbench, ada: Person, erasing: str) -> None:
    fail(bench, "erase.milvus")
    before = ada.operation(erasing)
    lease = claim(bench, "erase.mem0")
    assert ada.operation(erasing)["status"] == "failed"
    bench.database.transact(lambda tx: postpone(tx, lease, code="mem0_unavailable", delay_seconds=0))
    assert ada.operation(erasing)["status"] == "failed"
    bench.work()
    shown = ada.operation(erasing)
    statuses = {step["name"]: step["status"] for step in shown["steps"]}
    assert (statuses["postgres"], statuses["milvus"], statuses["mem0"]) == ("succeeded", "failed", "succeeded")
    closed = list(statuses.values()).count("succeeded")
    assert (shown["status"], shown["progress"]) == ("failed", pytest.approx(closed / len(statuses)))
    assert shown["version"] > before["version"]

    ada.post(f"/api/v1/memory/ops/{erasing}/retry", {}, status=202)
    assert ada.operation(erasing)["status"] == "running"
    bench.work()
    assert ada.operation(erasing)["status"] == "succeeded"


def test_an_operation_runs_again_when_the_last_failed_step_is_due(bench: Workbench, ada: Person, erasing: str) -> None:
    fail(bench, "erase.milvus")
    fail(bench, "erase.mem0")
    for kind, status in (("erase.milvus", "failed"), ("erase.mem0", "running")):
        with bench.database.begin() as tx:
            tx.run("update outbox set available_at = now() where kind = :kind", kind=kind)
        before = ada.operation(erasing)["version"]
        assert bench.database.transact(revive_work).returned == 1
        shown = ada.operation(erasing)
        assert shown["status"] == status
        assert shown["version"] > before


def test_a_step_that_fails_while_another_starts_is_seen(bench: Workbench, ada: Person, erasing: str) -> None:
    lease = claim(bench, "erase.milvus")
    with ThreadPoolExecutor(1) as threads:
        with bench.database.begin() as tx:
            give_up(tx, lease, code="store_misconfigured")
            starting = threads.submit(claim, bench, "erase.mem0")
            while not bench.count(
                "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            ):
                assert not starting.done()
        assert starting.result(10).operation_id == UUID(erasing)
    assert ada.operation(erasing)["status"] == "failed"
