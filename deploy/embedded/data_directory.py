"""The data directory of one installation: its layout, its lock and its secrets.

data/
  postgres/ valkey/ milvus/   the servers' own files
  files/                      exports and the erasure ledger's copy
  logs/                       one file per process
  run/                        readiness files
  secrets.json                0600, created on the first start
  lock                        held while a launcher runs
  run.json                    the running processes, without passwords; removed on stop
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import secrets
import signal
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Self

import psutil  # type: ignore[import-untyped,unused-ignore]  # its stubs are a separate, optional package

from deploy.embedded.private import FOLDER_MODE, make_folder

_GUARDIAN_NEEDS_SECONDS = 8.0
_LEFTOVER_PATIENCE_SECONDS = 5.0
_SAME_START_SECONDS = 1.0
_LOCK_ATTEMPTS = 4


class AlreadyRunning(RuntimeError):
    """Another launcher uses this data directory; the message names it and its URL."""


class SecretsUnreadableError(RuntimeError):
    """`secrets.json` cannot be read, or is missing beside data; replacing it would lock people out of their data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The secrets of an installation, created once and known only to it."""

    signing_key: str
    service_key: str
    postgres_password: str
    valkey_password: str
    ledger_key: str = ""
    """Empty in installations older than the ledger, until their next start."""

    @classmethod
    def new(cls) -> Self:
        return cls(
            signing_key=base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
            service_key=f"mc_service_{secrets.token_urlsafe(24)}",
            postgres_password=secrets.token_urlsafe(24),
            valkey_password=secrets.token_urlsafe(24),
            ledger_key=secrets.token_urlsafe(32),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningProcess:
    """A process of a run; the start time distinguishes it from a later process with the same pid."""

    pid: int
    started: float
    stop_signal: int = int(signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The content of `run.json`: the launcher that uses the directory, or used it and was killed."""

    pid: int
    stack: str
    url: str
    ports: Mapping[str, int]
    processes: Mapping[str, RunningProcess] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> Self:
        data = json.loads(text)
        started = {name: RunningProcess(**process) for name, process in data.pop("processes").items()}
        return cls(**data, processes=started)


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """The layout below `root`; nothing is created before `make`."""

    root: Path

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def milvus(self) -> Path:
        return self.root / "milvus"

    @property
    def files(self) -> Path:
        return self.root / "files"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def readiness(self) -> Path:
        return self.root / "run"

    @property
    def _secrets(self) -> Path:
        return self.root / "secrets.json"

    @property
    def _lock(self) -> Path:
        return self.root / "lock"

    @property
    def _run(self) -> Path:
        return self.root / "run.json"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def make(self) -> None:
        """Create missing folders, accessible to this account only.

        Raises:
            OSError: the directory is not writable.
        """
        self.root.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        mode = stat.S_IMODE(self.root.stat().st_mode)
        # PostgreSQL's account may pass through if the launcher is root; nobody else may list or write.
        if mode & ~(FOLDER_MODE | stat.S_IXGRP | stat.S_IXOTH):
            self.root.chmod(mode & (FOLDER_MODE | stat.S_IXGRP | stat.S_IXOTH))
        for folder in (self.files, self.logs, self.readiness):
            make_folder(folder)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Lock the directory for this launcher; the kernel releases the lock when the process ends.

        Raises:
            AlreadyRunning: another launcher holds the lock.
        """
        with self._lock.open("a") as lock:
            for attempt in range(1, _LOCK_ATTEMPTS + 1):
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if attempt == _LOCK_ATTEMPTS:
                        raise AlreadyRunning(self._who_runs()) from None
                    time.sleep(0.05)  # another process may only be in `is_held`
            yield

    def _who_runs(self) -> str:
        run = self.run()
        if run is None:
            return f"Memory Center is already starting or stopping with {self.root}"
        return f"Memory Center is already running with {self.root} (pid {run.pid}) at {run.url}"

    def is_held(self) -> bool:
        """Return whether a launcher uses the directory now."""
        try:
            with self._lock.open("r") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def secrets(self) -> Secrets | None:
        """Return the installation's secrets, None before its first start.

        Raises:
            SecretsUnreadableError: the file is damaged or belongs to another account.
        """
        try:
            return Secrets(**json.loads(self._secrets.read_text()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as problem:
            raise SecretsUnreadableError(
                f"{self._secrets} cannot be read ({type(problem).__name__}); restore it from a backup"
            ) from problem

    def secrets_or_new(self) -> Secrets:
        """Return the installation's secrets; create them on the first start.

        Raises:
            SecretsUnreadableError: as `secrets`, or there are data of an installation whose secrets are missing.
        """
        known, new = self.secrets(), Secrets.new()
        if known is None and (self.postgres / "PG_VERSION").exists():
            raise SecretsUnreadableError(f"{self._secrets} is missing, but there is data: restore it from a backup")
        if known is not None and known.ledger_key:
            return known
        made = new if known is None else replace(known, ledger_key=new.ledger_key)
        _replace(self._secrets, json.dumps(asdict(made), indent=2))
        return made

    def run(self) -> Run | None:
        """Return the content of `run.json`, written by the current launcher or a killed one; None if there is none."""
        try:
            return Run.from_json(self._run.read_text())
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def write_run(self, run: Run) -> None:
        _replace(self._run, json.dumps(asdict(run), indent=2))

    def remove_run(self) -> None:
        self._run.unlink(missing_ok=True)


def _replace(path: Path, text: str) -> None:
    """Write a file atomically, readable by this account only."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def started_process(pid: int, stop_signal: int = int(signal.SIGTERM)) -> RunningProcess | None:
    """Describe a running process for `run.json`; None if it has ended."""
    with contextlib.suppress(psutil.Error):
        return RunningProcess(pid=pid, started=psutil.Process(pid).create_time(), stop_signal=stop_signal)
    return None


def end_leftovers(run: Run) -> list[str]:
    """Wait for, then end, processes a killed launcher left behind; return the names of those that had to be ended.

    Usually its guardian is still stopping them. Without a guardian, processes get their stop signal here, and SIGKILL
    five seconds later.
    """
    left = _alive(run)
    deadline = time.monotonic() + _GUARDIAN_NEEDS_SECONDS
    while "guardian" in left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = _alive(run)
    names = [name for name in left if name != "guardian"]
    for name, process in left.items():
        _signal(process, signal.SIGKILL if name == "guardian" else process.stop_signal)
    deadline = time.monotonic() + _LEFTOVER_PATIENCE_SECONDS
    while _alive(run) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in _alive(run).values():
        _signal(process, signal.SIGKILL)
    return names


def _alive(run: Run) -> dict[str, RunningProcess]:
    return {name: process for name, process in run.processes.items() if is_alive(process)}


def is_alive(process: RunningProcess) -> bool:
    """Return whether this very process is still running."""
    with contextlib.suppress(psutil.Error):
        found = psutil.Process(process.pid)
        same = abs(found.create_time() - process.started) < _SAME_START_SECONDS
        return bool(same and found.status() != psutil.STATUS_ZOMBIE)
    return False


def _signal(process: RunningProcess, number: int) -> None:
    """Signal the process's group; every child of a launcher leads its own."""
    with contextlib.suppress(OSError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, number)
