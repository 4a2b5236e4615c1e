"""Children of a launcher: how to run one, start it in its own process group, and end the whole group."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from deploy.embedded import private
from deploy.embedded.forkserver import Forked

LAUNCH_MARKER = "MEMORY_CENTER_LAUNCH"
GUARDIAN_PATIENCE_SECONDS = 5.0
_ROTATE_BYTES = 10 * 1024 * 1024
_POLL_SECONDS = 0.02


def always_ready(_pid: int) -> bool:
    """Treat a child as ready as soon as it runs."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A program the launcher keeps running, or runs once if `once` is set.

    It starts when everything in `after` is ready; a `once` child is ready when it has ended with exit code 0. With
    `begin` it starts at once, so that it can import meanwhile, and `begin` is called when all these are ready. With
    `forkserver`, the socket of the child of that name, it starts when that child is ready, as a copy of it that runs
    the last item of `argv` as a module. `is_ready` receives its pid. `stop_signals` are tried in order, then SIGKILL.
    """

    name: str
    argv: tuple[str, ...]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: Path | None = None
    user: int | None = None
    group: int | None = None
    tier: Literal["server", "product"] = "product"
    after: tuple[str, ...] = ()
    begin: Callable[[], None] | None = None
    forkserver: Path | None = None
    once: bool = False
    is_ready: Callable[[int], bool] = always_ready
    before_start: Callable[[], None] | None = None
    stop_signals: tuple[signal.Signals, ...] = (signal.SIGTERM,)


class Running(Protocol):
    """The interface of a started process for supervision, satisfied by `subprocess.Popen`."""

    @property
    def pid(self) -> int:
        """The process id, also that of the process group it leads."""

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""


def start(child: Child, marker: str = "") -> Running:
    """Start `child` in its own session, with its output appended to its log.

    Raises:
        OSError: the program cannot be executed, or the fork server is not running.
    """
    if child.before_start is not None:
        child.before_start()
    child.log.parent.mkdir(parents=True, exist_ok=True, mode=private.FOLDER_MODE)
    environment = {**child.environment, LAUNCH_MARKER: marker} if marker else dict(child.environment)
    if child.forkserver is not None:
        return Forked(child.forkserver, child.argv[-1], environment, child.log)
    identity: dict[str, object] = {}
    if child.user is not None:
        identity = {"user": child.user, "group": child.group, "extra_groups": []}
    with private.appending(child.log) as log:
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]  # identity is optional
            child.argv,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=child.directory,
            start_new_session=True,
            umask=private.UMASK,
            **identity,
        )


def rotate(log: Path) -> None:
    """Rename a log over 10 MB to `<name>.1`, replacing the previous one."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > _ROTATE_BYTES:
            log.replace(log.with_name(log.name + ".1"))


def signal_group(process: Running, number: signal.Signals) -> None:
    """Signal every process of the child's group; a group that is gone is ignored."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def stop(process: Running, signals: Sequence[signal.Signals], patience: float) -> None:
    """End a child and its group: each signal gets an equal share of `patience` seconds, then SIGKILL."""
    for number in signals:
        if process.poll() is not None:
            break
        signal_group(process, number)
        deadline = time.monotonic() + patience / len(signals)
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
    signal_group(process, signal.SIGKILL)
    while process.poll() is None:
        time.sleep(_POLL_SECONDS)


def describe_exit(code: int) -> str:
    """Describe how a process ended: `exit 1`, `killed by SIGKILL`."""
    if code >= 0:
        return f"exit {code}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"


def last_lines(log: Path, count: int = 5) -> list[str]:
    """Return the last lines of a log, for a message about a failed start."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 4096))
            return file.read().decode(errors="replace").splitlines()[-count:]
    except OSError:
        return []


class Guardian:
    """The launcher's side of `guardian.py`: registers the children that must not outlive this process.

    Start children through `start`; `keep_alive` replaces a guardian that died.
    """

    def __init__(self, log: Path | None = None, patience: float = GUARDIAN_PATIENCE_SECONDS) -> None:
        self.marker = secrets.token_hex(16)
        self._log = log
        self._patience = patience
        self._charges: dict[int, Child] = {}
        self._process = self._begin()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _begin(self) -> subprocess.Popen[bytes]:
        script = Path(__file__).with_name("guardian.py")
        with private.appending(self._log) if self._log else Path(os.devnull).open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", str(script), self.marker, str(self._patience)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                cwd="/",
                start_new_session=True,
            )

    def start(self, child: Child) -> Running:
        """Start a child that ends when this process does."""
        process = start(child, self.marker)
        self._charges[process.pid] = child
        self._announce(process.pid, child)
        return process

    def release(self, pid: int) -> None:
        """Remove a child that has ended."""
        if self._charges.pop(pid, None) is not None:
            self._tell(f"-{pid}\n")

    def keep_alive(self) -> bool:
        """Replace a dead guardian and register every child again; return whether that was needed."""
        if self._process.poll() is None:
            return False
        self._discard()
        self._process = self._begin()
        for pid, child in self._charges.items():
            self._announce(pid, child)
        return True

    def close(self) -> None:
        """End the guardian, which stops the remaining children, and wait for it."""
        self._discard()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._patience + 2)
            return
        self._process.kill()
        self._process.wait()

    def _announce(self, pid: int, child: Child) -> None:
        self._tell(f"+{pid} {','.join(str(int(number)) for number in child.stop_signals)}\n")

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None  # noqa: S101  # it was started with a pipe
        with contextlib.suppress(OSError):  # keep_alive replaces a dead guardian and registers children again
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()

    def _discard(self) -> None:
        assert self._process.stdin is not None  # noqa: S101  # it was started with a pipe
        with contextlib.suppress(OSError):
            self._process.stdin.close()
