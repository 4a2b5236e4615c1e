"""The process that becomes the others: what its copies are, how they end, and what happens when it dies."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from deploy.embedded import private
from deploy.embedded.forkserver import Forked
from deploy.embedded.processes import Child, Guardian, Running, stop
from deploy.embedded.supervision import FORKSERVER, Phase, Supervisor

ROOT = Path(__file__).parents[2]
SAYS = """
import fractions_of_ours, json, os, signal, sys, threading
assert fractions_of_ours.imported_by != os.getpid(), "imported once more"
if os.environ.get("ENDS") == "by itself":
    threading.Thread(target=lambda: print("a thread is waited for")).start()
    sys.exit(3)
print(json.dumps([__name__, sys.argv[1:], os.getsid(0) == os.getpid(), dict(os.environ)]), flush=True)
signal.pause()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mc-") as folder:  # tmp_path may be too long for a socket
        yield Path(folder)


@pytest.fixture
def guardian(folder: Path) -> Iterator[Guardian]:
    guardian = Guardian(folder / "guardian.log", patience=1)
    yield guardian
    guardian.close()


def a_server(folder: Path) -> Child:
    """Describe a fork server that has imported a module, beside the one its copies run."""
    (folder / "fractions_of_ours.py").write_text("import os\nimported_by = os.getpid()\n")
    (folder / "says.py").write_text(SAYS)
    path = folder / "socket"
    return Child(
        name=FORKSERVER,
        argv=(sys.executable, "-P", "-m", "deploy.embedded.forkserver", str(path), "fractions_of_ours"),
        log=folder / "forkserver.log",
        environment={"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{folder}", "OF_THE_SERVER": "alone"},
        is_ready=lambda _pid: private.answers(path),
    )


def a_copy(folder: Path, name: str = "copy", **environment: str) -> Child:
    return Child(
        name=name,
        argv=(sys.executable, "-m", "says"),
        log=folder / f"{name}.log",
        environment={"PATH": os.environ["PATH"], **environment},
        forkserver=folder / "socket",
    )


def eventually(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def server(folder: Path, guardian: Guardian) -> Iterator[Running]:
    child = a_server(folder)
    process = guardian.start(child)
    eventually(lambda: child.is_ready(process.pid))
    yield process
    stop(process, [], 0)


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_copy_is_a_process_of_its_own_with_what_was_imported(
    folder: Path, guardian: Guardian, server: Running
) -> None:
    copy = guardian.start(a_copy(folder, TOLD="something"))
    log = folder / "copy.log"
    eventually(lambda: log.exists() and log.read_text().endswith("\n"))
    name, arguments, leads, environment = json.loads(log.read_text())
    assert (name, arguments, leads) == ("__main__", [], True)
    assert environment["TOLD"] == "something"
    assert "OF_THE_SERVER" not in environment
    assert log.stat().st_mode & 0o077 == 0
    assert copy.pid != server.pid
    assert Path(f"/proc/{copy.pid}/comm").read_text() == "copy\n"
    assert copy.poll() is None
    os.kill(copy.pid, signal.SIGTERM)
    eventually(lambda: copy.poll() == -signal.SIGTERM)
    assert copy.poll() == -signal.SIGTERM
    assert server.poll() is None


def test_how_a_copy_ended_is_told(folder: Path, guardian: Guardian, server: Running) -> None:
    copy = guardian.start(a_copy(folder, ENDS="by itself"))
    eventually(lambda: copy.poll() is not None)
    assert copy.poll() == 3
    assert (folder / "copy.log").read_text() == "a thread is waited for\n"
    assert not runs(copy.pid)


def test_it_waits_for_its_copies_before_it_ends(folder: Path, guardian: Guardian, server: Running) -> None:
    copy = guardian.start(a_copy(folder))
    os.kill(server.pid, signal.SIGTERM)
    another = guardian.start(a_copy(folder, "another"))  # who answers this has heard of the signal
    os.kill(another.pid, signal.SIGKILL)
    eventually(lambda: another.poll() == -signal.SIGKILL)
    assert server.poll() is None
    os.kill(copy.pid, signal.SIGKILL)
    eventually(lambda: server.poll() == 0)
    assert copy.poll() == -signal.SIGKILL


def test_who_says_something_else_is_not_served(folder: Path, guardian: Guardian, server: Running) -> None:
    for sent in (b"", b"\n", b"[]\n", b'{"module": "says"}\n', b"\xff\n"):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(5)
            peer.connect(str(folder / "socket"))
            peer.sendall(sent)
            peer.shutdown(socket.SHUT_WR)
            assert peer.recv(32) == b""
    copy = guardian.start(a_copy(folder))
    assert copy.poll() is None
    stop(copy, [], 0)


def test_a_copy_that_cannot_have_its_log_is_none(folder: Path, guardian: Guardian, server: Running) -> None:
    with pytest.raises(OSError, match="ended at once"):
        Forked(folder / "socket", "says", {}, folder / "nowhere" / "log")
    assert psutil.Process(server.pid).children() == []
    copy = guardian.start(a_copy(folder))
    assert copy.poll() is None
    stop(copy, [], 0)


def test_without_it_nothing_starts(folder: Path) -> None:
    with pytest.raises(OSError):
        Forked(folder / "socket", "says", {}, folder / "log")


def test_when_it_dies_its_copies_are_ended_and_both_come_back(folder: Path, guardian: Guardian) -> None:
    supervisor = Supervisor(start=guardian.start, say=lambda _line: None, ended=guardian.release)
    supervisor.add([a_copy(folder), a_server(folder)])

    def both_ready() -> bool:
        supervisor.step()
        return {supervisor.phase(name) for name in ("copy", FORKSERVER)} == {Phase.READY}

    eventually(both_ready)
    before = {name: pid for name, (_, pid) in supervisor.running().items()}
    os.kill(before[FORKSERVER], signal.SIGKILL)
    eventually(lambda: both_ready() and not set(before.values()) & {pid for _, pid in supervisor.running().values()})
    eventually(lambda: not any(runs(pid) for pid in before.values()))
    supervisor.stop(hurried=lambda: True)
