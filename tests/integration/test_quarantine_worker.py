"""The scheduler's child for quarantine: there when it is wanted, one at a time, and never without the scheduler."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.e2e.conftest import wait_for
from workers.scheduler.quarantine import QuarantineWorker, environment, pause_after

LASTS = "import time; time.sleep(600)"


@pytest.fixture
def quarantine() -> Iterator[Callable[..., QuarantineWorker]]:
    begun: list[QuarantineWorker] = []

    def begin(code: str, *arguments: str, pause: Callable[[int], float] = lambda _deaths: 0.0) -> QuarantineWorker:
        begun.append(QuarantineWorker((sys.executable, "-c", code, *arguments), pause=pause))
        begun[-1].start()
        return begun[-1]

    yield begin
    for each in begun:
        each.stop(patience=5)


def test_a_child_runs_only_once_it_is_wanted_and_only_one(quarantine: Callable[..., QuarantineWorker]) -> None:
    worker = quarantine(LASTS)
    assert worker.pid is None
    worker.want()
    pid = wait_for(lambda: worker.pid, seconds=10, what="the child's start")
    worker.want()
    assert [child.pid for child in psutil.Process().children() if LASTS in child.cmdline()] == [pid]


def test_a_child_that_ended_is_started_again_when_it_is_wanted_again(
    quarantine: Callable[..., QuarantineWorker], tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    worker = quarantine(f"open({str(runs)!r}, 'a').write('x')")
    for count in (1, 2):
        wait_for(lambda: worker.pid is None, seconds=10, what="the end of the child before")
        wait_for(
            lambda count=count: worker.want() or (runs.exists() and len(runs.read_text()) >= count),
            seconds=10,
            what=f"run {count}",
        )


def test_the_pause_after_a_child_dies_grows_each_time_and_resets_after_a_clean_exit(
    quarantine: Callable[..., QuarantineWorker], tmp_path: Path
) -> None:
    paused: list[int] = []
    healthy = tmp_path / "healthy"

    def pause(deaths: int) -> float:
        paused.append(deaths)
        return 0.0

    worker = quarantine(
        "import os, pathlib, sys; pathlib.Path(sys.argv[1]).exists() or os.kill(os.getpid(), 9)",
        str(healthy),
        pause=pause,
    )
    wait_for(lambda: worker.want() or len(paused) >= 3, seconds=20, what="three deaths")
    assert paused[:3] == [1, 2, 3]
    healthy.touch()
    wait_for(lambda: worker.want() or 0 in paused, seconds=20, what="an end that is none")
    assert [pause_after(deaths) for deaths in (0, 1, 2, 3, 7, 1000)] == [0, 1, 2, 4, 60, 60]


def test_nobody_wants_it_back_after_it_died(quarantine: Callable[..., QuarantineWorker]) -> None:
    paused: list[int] = []

    def pause(deaths: int) -> float:
        paused.append(deaths)
        return 0.0

    worker = quarantine("raise SystemExit(1)", pause=pause)
    worker.want()
    wait_for(lambda: paused, seconds=10, what="its death")
    worker.stop(patience=5)
    assert paused == [1]


def test_stopping_ends_the_child_even_one_that_does_not_listen(quarantine: Callable[..., QuarantineWorker]) -> None:
    worker = quarantine(f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {LASTS}")
    worker.want()
    child = psutil.Process(wait_for(lambda: worker.pid, seconds=10, what="the child's start"))
    worker.stop(patience=0.2)
    assert not child.is_running()


def test_the_child_is_told_its_queue_and_not_what_is_the_schedulers_alone() -> None:
    own = {"PATH": "/bin", "MEMORY_CENTER_READY_FILE": "r", "MEMORY_CENTER_START_FILE": "s"}
    own["MEMORY_CENTER_METRICS_PORT"] = "9000"
    assert environment(own) == {"PATH": "/bin", "MEMORY_CENTER_QUEUES": "quarantine"}
