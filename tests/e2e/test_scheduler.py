"""The scheduler's two threads: what hangs or fails in one does not stop the other, and its end ends its child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from deploy.embedded import ports
from shared.outbox.job_kinds import QUARANTINE_EXPIRIES
from tests.e2e.conftest import wait_for
from tests.e2e.test_quarantine import told
from tests.support.workbench import Workbench

HAMPERED = Path(__file__).parents[1] / "support" / "hampered_scheduler.py"


@contextmanager
def scheduler(bench: Workbench, folder: Path, how: str, **environment: str) -> Iterator[psutil.Process]:
    """Run a scheduler until it has reached its hampered part, and end it, as `docker stop` does, within 10 s."""
    reached = folder / "reached"
    broker = bench.settings.broker_url.get_secret_value().rpartition("/")[0] + "/3"
    with (folder / "scheduler.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(HAMPERED), how, str(reached)],
            env={**os.environ, **told(bench.settings), "MEMORY_CENTER_BROKER_URL": broker, **environment},
            stdout=log,
            stderr=log,
        )
    try:
        wait_for(reached.exists, seconds=60, what="the first round")
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        code = process.wait(30)
        if code not in (0, -signal.SIGKILL):
            raise AssertionError(f"it ended with {code}:\n{(folder / 'scheduler.log').read_text()}")


def publish_something(bench: Workbench) -> None:
    """Queue rows and wait until they were published."""
    person = bench.person()
    person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    wait_for(
        lambda: bench.count("select count(*) from outbox where published_at is null and available_at <= now()") == 0,
        seconds=15,
        what="publishing",
    )


@pytest.mark.parametrize("how", ["hangs", "fails"])
def test_a_periodic_job_that_hangs_or_fails_stops_no_publishing(bench: Workbench, tmp_path: Path, how: str) -> None:
    with scheduler(bench, tmp_path, how):
        publish_something(bench)
        publish_something(bench)
    if how == "fails":  # nor the other jobs
        assert bench.count("select count(*) from operations where type = 'cleanup_reconcile'") == 1
    assert "canary" not in (tmp_path / "scheduler.log").read_text()


def test_publishing_that_fails_stops_no_periodic_job(bench: Workbench, tmp_path: Path) -> None:
    nobody = f"redis://127.0.0.1:{ports.free_port()}/0"
    with scheduler(bench, tmp_path, "works", MEMORY_CENTER_BROKER_URL=nobody):
        wait_for(
            lambda: bench.count("select count(*) from operations where type = 'cleanup_reconcile'") == 1,
            seconds=30,
            what="the jobs of a round",
        )


def test_a_killed_scheduler_takes_the_worker_of_quarantine_along(bench: Workbench, tmp_path: Path) -> None:
    person = bench.person()
    person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    with bench.database.begin() as tx:
        tx.run("update outbox set published_at = null, expiries = :lost", lost=QUARANTINE_EXPIRIES)
    with scheduler(bench, tmp_path, "works", MEMORY_CENTER_QUARANTINE_IDLE_SECONDS="600") as process:
        [child] = wait_for(process.children, seconds=30, what="a worker of quarantine")
        wait_for(
            lambda: bench.count("select count(*) from outbox where expiries >= %(n)s", n=QUARANTINE_EXPIRIES) == 0,
            seconds=60,
            what="the work of quarantine",
        )
        process.kill()
        wait_for(lambda: not child.is_running(), seconds=20, what="the child's end")


def test_a_stopped_scheduler_takes_the_worker_of_quarantine_along(bench: Workbench, tmp_path: Path) -> None:
    person = bench.person()
    person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    with bench.database.begin() as tx:
        tx.run("update outbox set published_at = null, expiries = :lost", lost=QUARANTINE_EXPIRIES)
    with scheduler(bench, tmp_path, "works") as process:
        [child] = wait_for(process.children, seconds=30, what="a worker of quarantine")
    assert not child.is_running()
