"""What the launcher does with its children: order, readiness, backoff, giving up, stopping. No sockets."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from deploy.embedded.processes import Child, Guardian, describe_exit, rotate
from deploy.embedded.supervision import (
    FAILURES_BEFORE_GIVING_UP,
    HEALTHY_SECONDS,
    READY_WITHIN_SECONDS,
    Phase,
    Supervisor,
    restart_delay,
)

NOBODY = 2**30  # no system gives out pids this high, so signalling one reaches nobody


@dataclass
class FixedClock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class FakeProcess:
    pid: int
    code: int | None = None

    def poll(self) -> int | None:
        return self.code


@dataclass
class Stage:
    """A supervisor with fake processes, and what it said."""

    clock: FixedClock = field(default_factory=FixedClock)
    said: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    processes: dict[str, FakeProcess] = field(default_factory=dict)
    unstartable: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(start=self.start, say=self.said.append, clock=self.clock)

    def start(self, child: Child) -> FakeProcess:
        if child.name in self.unstartable:
            raise FileNotFoundError(child.argv[0])
        self.started.append(child.name)
        process = self.processes[child.name] = FakeProcess(NOBODY + len(self.started))
        return process

    def steps_until(self, condition: Callable[[], bool]) -> None:
        """Step with the clock standing still; readiness is asked on another thread."""
        deadline = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < deadline, f"never happened; said {self.said}"
            self.supervisor.step()

    def becomes(self, name: str, phase: Phase) -> None:
        self.steps_until(lambda: self.supervisor.phase(name) is phase)

    def crash(self, name: str, code: int = 1) -> None:
        self.processes[name].code = code
        self.supervisor.step()


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    for process in stage.processes.values():
        process.code = 0
    stage.supervisor.stop()


def a_child(name: str = "worker", **options: object) -> Child:
    return Child(name=name, argv=(name,), log=Path(f"/logs/{name}.log"), **options)  # type: ignore[arg-type]


def test_the_delay_doubles_from_half_a_second_to_thirty() -> None:
    assert [restart_delay(failures) for failures in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert restart_delay(10_000) == 30


def test_a_child_starts_when_what_it_needs_is_ready(stage: Stage) -> None:
    open_for_business = False
    stage.supervisor.add(
        [
            a_child("gateway", after=("postgres",)),
            a_child("postgres", is_ready=lambda _pid: open_for_business),
        ]
    )
    for _ in range(20):
        stage.supervisor.step()
    assert stage.started == ["postgres"]
    open_for_business = True
    stage.becomes("gateway", Phase.READY)
    assert stage.started == ["postgres", "gateway"]
    assert stage.supervisor.all_ready()


def test_a_waiting_child_starts_at_once_and_begins_when_its_dependencies_are_ready(stage: Stage) -> None:
    open_for_business, begun = False, []
    gateway = a_child("gateway", after=("postgres",), begin=lambda: begun.append(stage.clock.now))
    stage.supervisor.add([gateway])
    stage.supervisor.step()  # what it needs need not be known yet
    stage.supervisor.add([a_child("postgres", is_ready=lambda _pid: open_for_business)])
    for _ in range(20):
        stage.supervisor.step()
    assert stage.started == ["gateway", "postgres"]
    assert begun == []
    assert stage.supervisor.phase("gateway") is Phase.STARTING
    stage.clock.now += 7
    open_for_business = True
    stage.becomes("gateway", Phase.READY)
    assert begun == [stage.clock.now]
    assert "gateway is ready (0.0 s)" in stage.said  # since it was allowed to begin

    stage.crash("gateway")
    stage.clock.now += HEALTHY_SECONDS
    stage.becomes("gateway", Phase.READY)
    assert len(begun) == 2


def test_what_ends_on_purpose_lets_the_next_start_and_is_not_run_again(stage: Stage) -> None:
    stage.supervisor.add([a_child("migration", once=True), a_child("worker", after=("migration",))])
    stage.supervisor.step()
    stage.supervisor.step()
    assert stage.started == ["migration"]
    stage.processes["migration"].code = 0
    stage.becomes("worker", Phase.READY)
    stage.clock.now += 3600
    stage.supervisor.step()
    assert stage.started == ["migration", "worker"]


def test_a_failed_migration_ends_the_start(stage: Stage) -> None:
    stage.supervisor.add([a_child("migration", once=True), a_child("worker", after=("migration",))])
    stage.supervisor.step()
    stage.crash("migration")
    assert stage.supervisor.failure == "migration failed (exit 1); see logs/migration.log"
    assert stage.started == ["migration"]


def test_a_crashed_child_is_restarted_after_its_delay_and_shown(stage: Stage) -> None:
    stage.supervisor.add([a_child()])
    stage.becomes("worker", Phase.READY)
    stage.crash("worker", -signal.SIGKILL)
    assert stage.said[-1] == "worker stopped (killed by SIGKILL), restarting in 0.5 s; see logs/worker.log"
    stage.clock.now += 0.4
    stage.supervisor.step()
    assert stage.started == ["worker"]
    stage.clock.now += 0.2
    stage.becomes("worker", Phase.READY)
    assert stage.started == ["worker", "worker"]
    assert stage.said[-1] == "worker is ready again"


def test_repeated_crashes_wait_longer_until_one_was_healthy(stage: Stage) -> None:
    stage.supervisor.add([a_child()])
    for delay in ("0.5", "1", "2"):
        stage.becomes("worker", Phase.READY)
        stage.crash("worker")
        assert f"restarting in {delay} s" in stage.said[-1]
        stage.clock.now += float(delay)
    stage.becomes("worker", Phase.READY)
    stage.clock.now += HEALTHY_SECONDS
    stage.crash("worker")
    assert "restarting in 0.5 s" in stage.said[-1]


def test_a_child_that_was_ready_once_is_never_given_up(stage: Stage) -> None:
    stage.supervisor.add([a_child()])
    for _ in range(FAILURES_BEFORE_GIVING_UP * 2):
        stage.becomes("worker", Phase.READY)
        stage.crash("worker")
        stage.clock.now += 30
    assert stage.supervisor.failure is None


def test_a_child_that_never_starts_well_ends_the_start(stage: Stage) -> None:
    stage.unstartable.add("worker")
    stage.supervisor.add([a_child()])
    for _ in range(FAILURES_BEFORE_GIVING_UP):
        assert stage.supervisor.failure is None
        stage.supervisor.step()
        stage.clock.now += 30
    assert stage.supervisor.failure == "worker could not start (worker), 5 times; see logs/worker.log"


def test_a_child_that_stays_silent_ends_the_start(stage: Stage) -> None:
    stage.supervisor.add([a_child(is_ready=lambda _pid: False)])
    stage.supervisor.step()
    stage.clock.now += READY_WITHIN_SECONDS + 1
    stage.supervisor.step()
    assert stage.supervisor.failure == "worker is not ready after 120 s; see logs/worker.log"


def test_a_readiness_question_that_fails_is_not_a_yes(stage: Stage) -> None:
    answers = iter([False, True])

    def ask(_pid: int) -> bool:
        if next(answers):
            return True
        raise PermissionError

    stage.supervisor.add([a_child(is_ready=ask)])
    stage.becomes("worker", Phase.READY)


def test_exits_are_described_for_people() -> None:
    assert describe_exit(3) == "exit 3"
    assert describe_exit(-signal.SIGSEGV) == "killed by SIGSEGV"
    assert describe_exit(-77) == "killed by signal 77"


def test_a_large_log_is_put_aside(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    rotate(log)
    log.write_bytes(b"")
    os.truncate(log, 11 * 1024 * 1024)
    rotate(log)
    assert not log.exists()
    assert (tmp_path / "worker.log.1").exists()


# --- With real processes, still without sockets

SLEEPER = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, subprocess, sys, time, pathlib;"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
    "pathlib.Path(sys.argv[1]).write_text(str(child.pid));"
    "time.sleep(600)"
)


def a_script(name: str, folder: Path, code: str, *arguments: str) -> Child:
    environment = {"PATH": os.environ["PATH"]}
    return Child(name=name, argv=(sys.executable, "-c", code, *arguments), log=folder / name, environment=environment)


def eventually(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def guardian(tmp_path: Path) -> Iterator[Guardian]:
    guardian = Guardian(tmp_path / "guardian.log", patience=1)
    yield guardian
    guardian.close()
    assert (tmp_path / "guardian.log").read_text() == ""


def test_hurried_stopping_ends_a_stubborn_child_with_its_own_children(tmp_path: Path, guardian: Guardian) -> None:
    supervisor = Supervisor(start=guardian.start, say=lambda _line: None, ended=guardian.release)
    pid_file = tmp_path / "pid"
    supervisor.add([a_script("stubborn", tmp_path, STUBBORN, str(pid_file)), a_script("sleeper", tmp_path, SLEEPER)])
    supervisor.step()
    eventually(lambda: pid_file.exists() and pid_file.read_text() != "")
    pids = [pid for _, pid in supervisor.running().values()] + [int(pid_file.read_text())]
    began = time.monotonic()
    supervisor.stop(hurried=lambda: True)
    assert time.monotonic() - began < 2
    eventually(lambda: not any(runs(pid) for pid in pids))
    assert supervisor.running() == {}


def test_a_crash_takes_along_what_the_child_started(tmp_path: Path, guardian: Guardian) -> None:
    supervisor = Supervisor(start=guardian.start, say=lambda _line: None, ended=guardian.release)
    pid_file = tmp_path / "pid"
    supervisor.add([a_script("stubborn", tmp_path, STUBBORN, str(pid_file))])
    supervisor.step()
    eventually(lambda: pid_file.exists() and pid_file.read_text() != "")
    os.kill(supervisor.running()["stubborn"][1], signal.SIGKILL)
    eventually(lambda: supervisor.running() == {})
    supervisor.step()
    eventually(lambda: not runs(int(pid_file.read_text())))
    supervisor.stop(hurried=lambda: True)


def test_the_guardian_ends_what_is_left_when_its_launcher_is_gone(tmp_path: Path) -> None:
    guardian = Guardian(tmp_path / "guardian.log", patience=1)
    pid_file = tmp_path / "pid"
    children = [
        guardian.start(a_script("stubborn", tmp_path, STUBBORN, str(pid_file))),
        guardian.start(a_script("sleeper", tmp_path, SLEEPER)),
    ]
    eventually(lambda: pid_file.exists() and pid_file.read_text() != "")
    grandchild = int(pid_file.read_text())
    guardian.close()  # what the kernel does to the pipe when a launcher is killed
    assert [child.wait(5) for child in children] == [-signal.SIGKILL, -signal.SIGTERM]
    eventually(lambda: not runs(grandchild))


@pytest.mark.skipif(not Path("/proc").exists(), reason="other systems do not show a process's environment")
def test_the_guardian_finds_a_child_it_was_never_told_about(tmp_path: Path) -> None:
    guardian = Guardian(tmp_path / "guardian.log", patience=1)
    child = subprocess.Popen(
        [sys.executable, "-c", SLEEPER],
        env={"MEMORY_CENTER_LAUNCH": guardian.marker, "PATH": os.environ["PATH"]},
        start_new_session=True,
    )
    eventually(lambda: Path(f"/proc/{child.pid}/environ").read_bytes().find(guardian.marker.encode()) >= 0)
    guardian.close()
    assert child.wait(5) == -signal.SIGTERM


def test_a_dead_guardian_is_replaced_and_told_everything(tmp_path: Path) -> None:
    guardian = Guardian(tmp_path / "guardian.log", patience=1)
    child = guardian.start(a_script("sleeper", tmp_path, SLEEPER))
    assert not guardian.keep_alive()
    os.kill(guardian.pid, signal.SIGKILL)
    eventually(guardian.keep_alive)
    assert runs(child.pid)
    guardian.close()
    assert child.wait(5) == -signal.SIGTERM


def test_the_guardian_is_small(tmp_path: Path, guardian: Guardian) -> None:
    eventually(lambda: psutil.Process(guardian.pid).memory_info().rss > 4 * 1024 * 1024)
    assert psutil.Process(guardian.pid).memory_info().rss < 15 * 1024 * 1024
