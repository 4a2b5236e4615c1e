"""A step that kills whoever begins it, with real workers: it ends alone, and nobody waits for it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from pydantic import SecretStr

from deploy.embedded import readiness
from deploy.embedded.processes import Child, Guardian
from deploy.embedded.supervision import Phase, Supervisor
from shared.outbox.error_codes import describe
from shared.outbox.job_kinds import BATCH_DEFAULT, ERASE_POSTGRES, LOST_EXPIRIES, QUARANTINE_EXPIRIES
from shared.runtime.settings import Settings
from tests.e2e.conftest import wait_for
from tests.support.workbench import Workbench

POISONED_SCHEDULER = Path(__file__).parents[1] / "support" / "poisoned_scheduler.py"
POISONED_WORKER = Path(__file__).parents[1] / "support" / "poisoned_worker.py"


class Installation:
    """A scheduler and a worker on the bench's stores, restarted when they die, with leases of a second."""

    def __init__(self, bench: Workbench, folder: Path, poison: str) -> None:
        self.folder = folder
        self.deaths, self.antidote = folder / "deaths", folder / "antidote"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("MEMORY_CENTER_")},
            **told(bench.settings),
            "MEMORY_CENTER_BROKER_URL": bench.settings.broker_url.get_secret_value().rpartition("/")[0] + "/1",
            "MEMORY_CENTER_LEASE_SECONDS": "2",  # a busy machine must not let one expire that nobody lost
            "MEMORY_CENTER_QUARANTINE_IDLE_SECONDS": "2",
            "OMP_NUM_THREADS": "1",
            "MEM0_TELEMETRY": "False",
        }
        worker = (str(POISONED_WORKER), ERASE_POSTGRES, poison, str(self.deaths), str(self.antidote))
        self._children = [
            self._child("worker", *worker),
            self._child("scheduler", str(POISONED_SCHEDULER), *worker),
        ]
        self._supervisor: Supervisor | None = None

    def _child(self, name: str, *arguments: str, **more: str) -> Child:
        ready = self.folder / f"{name}.ready"
        return Child(
            name=name,
            argv=(sys.executable, *arguments),
            log=self.folder / f"{name}.log",
            environment={**self._environment, **more, "MEMORY_CENTER_READY_FILE": str(ready)},
            before_start=readiness.remover(ready),
            is_ready=readiness.looks_for(ready),
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        guardian = Guardian(self.folder / "guardian.log")
        self._supervisor = Supervisor(start=guardian.start, say=lambda _line: None, ended=guardian.release)
        self._supervisor.add(self._children)
        stop = threading.Event()

        def supervise() -> None:
            while not stop.wait(0.05):
                self.supervisor.step()

        thread = threading.Thread(target=supervise)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self.supervisor.stop()
            guardian.close()

    @property
    def supervisor(self) -> Supervisor:
        assert self._supervisor is not None
        return self._supervisor

    def quarantine(self) -> list[psutil.Process]:
        """Return the workers of quarantine that run: the scheduler's children."""
        scheduler = psutil.Process(self.supervisor.running()["scheduler"][1])
        return [child for child in scheduler.children() if str(POISONED_WORKER) in child.cmdline()]

    def has_lost(self, *expected: str) -> bool:
        return self.deaths.exists() and tuple(self.deaths.read_text().splitlines()) == expected


def told(settings: Settings) -> dict[str, str]:
    """Return settings as the environment of a process."""
    values = {name: value for name, value in settings if value is not None}
    plain = {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value for name, value in values.items()
    }
    return {f"MEMORY_CENTER_{name.upper()}": str(value) for name, value in plain.items()}


def test_a_poison_step_ends_alone_in_quarantine_and_its_batch_mates_progress(bench: Workbench, tmp_path: Path) -> None:
    people = [bench.person() for _ in range(BATCH_DEFAULT)]
    said = [person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))[0][0] for person in people]
    bench.work()
    operations = [person.forget("message", message_id=message) for person, message in zip(people, said, strict=True)]
    victim, poison = people[2], operations[2]
    mates = [pair for pair in zip(people, operations, strict=True) if pair[1] != poison]

    installation = Installation(bench, tmp_path, poison)
    with installation.running():
        wait_for(
            lambda: all(mate.operation(operation)["status"] == "succeeded" for mate, operation in mates),
            seconds=120,
            what="the batch mates' end",
        )
        wait_for(lambda: victim.operation(poison)["status"] == "failed", seconds=150, what="the poison's parking")
        shown = victim.operation(poison)
        assert shown["last_error"] == describe("worker_lost")
        assert [step["last_error"] for step in shown["steps"] if step["status"] == "failed"] == [shown["last_error"]]
        assert installation.has_lost(
            *(f"worker {expiries}" for expiries in range(QUARANTINE_EXPIRIES)),
            *(f"quarantine {expiries}" for expiries in range(QUARANTINE_EXPIRIES, LOST_EXPIRIES)),
        )
        assert installation.supervisor.phase("worker") == Phase.READY

        wait_for(lambda: not installation.quarantine(), seconds=30, what="the end of the last one that died")
        installation.antidote.touch()
        victim.post(f"/api/v1/memory/ops/{poison}/retry", {}, status=202)
        wait_for(lambda: victim.operation(poison)["status"] == "succeeded", seconds=60, what="the poison's end")
        wait_for(installation.quarantine, seconds=30, what="a worker of quarantine, idle for now")
        [idle] = installation.quarantine()
        wait_for(lambda: not idle.is_running(), seconds=30, what="its end")
        assert {installation.supervisor.phase(name) for name in ("worker", "scheduler")} == {Phase.READY}
