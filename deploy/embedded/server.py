"""Common parts of the embedded servers: a directory, starting and stopping on their own; most have a loopback port."""

from __future__ import annotations

import atexit
import importlib.util
import os
import time
from abc import ABC, abstractmethod
from functools import cache
from pathlib import Path
from typing import Self

from deploy.embedded import ports, processes
from deploy.embedded.processes import Child, Guardian

_ATTEMPTS = 3
_POLL_SECONDS = 0.03
_INHERITED = ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH", "TZ")


class ServerStartError(RuntimeError):
    """A server ended or did not answer while starting; the message names its log and quotes the last lines."""


class Server(ABC):
    """A server with its data in `directory`. `log` defaults to `<directory>.log`."""

    name: str
    ready_within_seconds = 60.0
    stop_within_seconds = 10.0

    def __init__(self, directory: Path, *, log: Path | None = None) -> None:
        self.directory = directory.resolve()
        self.log = (log or directory.with_name(directory.name + ".log")).resolve()
        self._process: processes.Running | None = None

    @abstractmethod
    def url(self) -> str:
        """Return the URL for its clients."""

    @abstractmethod
    def prepare(self) -> None:
        """Create the directory and everything the server needs in it to start. Safe to repeat."""

    @abstractmethod
    def child(self) -> Child:
        """Describe how to run the server in the foreground."""

    @property
    def pid(self) -> int | None:
        """The running server's pid, if this object started it."""
        return self._process.pid if self._process is not None else None

    def start(self) -> Self:
        """Prepare and start the server; return when it answers. It stops when this process ends, in whatever way.

        Raises:
            ServerStartError: it ended or did not answer in time, on three ports if none was given.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            self.prepare()
            try:
                self._start_once()
            except ServerStartError:
                self.stop()
                if attempt == _ATTEMPTS or not self._move():
                    raise
            else:
                break
        return self

    def _move(self) -> bool:
        """Choose another port, if none was given; return whether there is another."""
        return False

    def _start_once(self) -> None:
        child = self.child()
        process = self._process = _guardian().start(child)
        deadline = time.monotonic() + self.ready_within_seconds
        while not child.is_ready(process.pid):
            code = process.poll()
            if code is not None or time.monotonic() > deadline:
                what = "did not answer in time" if code is None else f"stopped ({processes.describe_exit(code)})"
                raise ServerStartError("\n".join([f"{self.name} {what}; see {self.log}", *self._last_words()]))
            time.sleep(_POLL_SECONDS)

    def _last_words(self) -> list[str]:
        return processes.last_lines(self.log)

    def stop(self) -> None:
        """Stop the server and its process group. Safe to repeat."""
        if self._process is not None:
            processes.stop(self._process, self.child().stop_signals, self.stop_within_seconds)
            _guardian().release(self._process.pid)
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class TcpServer(Server):
    """A server that listens on 127.0.0.1 only and requires a password. Without `port` a free one is chosen."""

    def __init__(self, directory: Path, *, port: int | None = None, log: Path | None = None) -> None:
        super().__init__(directory, log=log)
        self._chosen_port = port
        self.port = port or ports.claimed_port()

    def _move(self) -> bool:
        if self._chosen_port is not None:
            return False
        self.port = ports.claimed_port()
        return True


@cache
def _guardian() -> Guardian:
    """Return the shared guardian of all servers this process starts on its own."""
    guardian = Guardian()
    atexit.register(guardian.close)
    return guardian


def environment() -> dict[str, str]:
    """Return the environment of servers: none of the product's secrets."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def package(name: str) -> Path:
    """Return the folder of an installed package without importing it.

    Raises:
        ServerStartError: it is not installed.
    """
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ServerStartError(
            f"the Python package {name} is not installed; run `make run`, which installs the group `embedded`"
        )
    return Path(spec.origin).parent
