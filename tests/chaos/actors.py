"""Processes that do one thing at a time and may die of it.

A nursery has imported everything and used nothing: no connection, no gRPC channel, no embedder. Forking an actor from
it takes milliseconds. Actors embed with `CheapEmbedder`, not the bundled model: the product's own rules, stores and
PostgreSQL are real, only the meaning of a vector is not.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import hashlib
import os
import signal
import socket
import struct
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from shared.runtime.settings import Settings
from tests.chaos import roles
from tests.chaos.boundaries import Boundaries, watch

PR_SET_PDEATHSIG = 1
DIMENSIONS = 384


class CheapEmbedder:
    """Unit vectors from a hash of each text: equal texts are near, everything else is far."""

    dimensions = DIMENSIONS

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> list[float]:
        numbers = hashlib.shake_128(text.encode()).digest(DIMENSIONS)
        values = [number / 127.5 - 1.0 for number in numbers]
        length = sum(value * value for value in values) ** 0.5 or 1.0
        return [value / length for value in values]


class Died(Exception):
    """The actor was killed before it answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command. `boundaries` counts those it passed."""

    value: Any
    boundaries: int
    error: str | None = None
    """The type of what it raised: rows come again, so raising is no failure."""


class Actor:
    """A forked process of one role, seen from the run that plays with it."""

    def __init__(self, role: str, pid: int, connection: Connection) -> None:
        self.role, self.pid = role, pid
        self._connection = connection
        self.end: tuple[str, int, str] | None = None
        """("killed" or "stopped", boundary, its name), once it said so."""
        self.published: list[tuple[str, list[int]]] = []
        self.busy = False
        self.stopped = False
        self.alive = True

    def begin(self, command: str, *, faults: dict[str, Any] | None = None, **values: Any) -> None:
        """Send a command; `answer` waits for what becomes of it."""
        self.end = None
        self.busy = True
        try:
            self._connection.send((command, values, faults or {}))
        except OSError:
            self._bury()
            raise Died from None

    def answer(self, *, seconds: float = 40.0) -> Answer | None:
        """Return the answer, or None when it stopped at a boundary first.

        Raises:
            Died: it was killed.
            TimeoutError: it did neither.
        """
        while True:
            try:
                if not self._connection.poll(seconds):
                    os.kill(self.pid, signal.SIGUSR1)  # its log names the place
                    raise TimeoutError(f"{self.role} {self.pid} did not answer")
                kind, *said = self._connection.recv()
            except (EOFError, OSError) as error:
                if isinstance(error, TimeoutError):
                    raise
                self._bury()
                raise Died from None
            if kind == "published":
                self.published.append((said[0], said[1]))
            elif kind == "answer":
                self.busy = False
                return Answer(*said)
            else:
                self.end = (kind, *said)
                if kind == "stopped":
                    self._stands_still()
                    return None

    def waits(self) -> None:
        """Return once it said that a thread of it hangs at its boundary; the others go on."""
        kind, *_ = self._connection.recv()
        assert kind == "stopped", kind

    def _stands_still(self) -> None:
        """Wait until it really does: SIGCONT before SIGSTOP would be lost, and it would stand for ever."""
        process = psutil.Process(self.pid)
        deadline = time.monotonic() + 10
        while process.status() != psutil.STATUS_STOPPED and time.monotonic() < deadline:
            time.sleep(0.002)
        self.stopped = True

    def wait(self, seconds: float) -> bool:
        """Return whether anything was said within some seconds."""
        try:
            return bool(self._connection.poll(seconds))
        except (EOFError, OSError):
            return True

    def resume(self) -> None:
        if self.stopped:
            os.kill(self.pid, signal.SIGCONT)
            self.stopped = False

    def kill(self) -> None:
        """SIGKILL, from outside."""
        if self.alive:
            os.kill(self.pid, signal.SIGKILL)
            self._bury()

    def _bury(self) -> None:
        self.alive = self.busy = self.stopped = False
        self._connection.close()


class Nursery:
    """Forks actors, for one database.

    Args:
        settings: of every process.
        log: where what they log goes; it holds no content.
        prepare: changes the product in every actor, before anything is used.
    """

    def __init__(self, settings: Settings, *, log: Path, prepare: Any = None) -> None:
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            _dies_with_parent()
            _log_to(log)
            try:
                _serve(theirs, settings, prepare)
            except BaseException:
                traceback.print_exc()  # to its log; else nobody would hear of it
                raise
            finally:
                os._exit(0)
        theirs.close()
        self._socket = ours

    def actor(self, role: str) -> Actor:
        mine, its = socket.socketpair()
        with its:
            socket.send_fds(self._socket, [role.encode()], [its.fileno()])
        (pid,) = struct.unpack("q", self._socket.recv(8))
        return Actor(role, pid, Connection(mine.detach()))

    def close(self) -> None:
        self._socket.close()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _serve(requests: socket.socket, settings: Settings, prepare: Any) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries them
    if prepare is not None:
        prepare()
    roles.preload(settings)
    gc.freeze()
    while True:
        role, fds, _, _ = socket.recv_fds(requests, 64, 1)
        if not role:
            return
        pid = os.fork()
        if pid == 0:
            requests.close()
            _dies_with_parent()
            try:
                _live(role.decode(), settings, Connection(fds[0]))
            finally:
                os._exit(0)
        os.close(fds[0])
        requests.sendall(struct.pack("q", pid))


def _live(role: str, settings: Settings, connection: Connection) -> None:
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    boundaries = Boundaries(lambda kind, number, name: connection.send((kind, number, name)))
    watch(boundaries)
    commands = roles.ROLES[role](settings, boundaries, connection)
    while True:
        try:
            command, values, faults = connection.recv()
        except (EOFError, OSError):
            return
        boundaries.arm(**faults)
        try:
            value, error = getattr(commands, command)(**values), None
        except Exception as raised:  # noqa: BLE001 # whatever it is, its type is the answer
            value, error = None, type(raised).__name__
            if os.environ.get("CHAOS_TRACE"):
                import traceback

                traceback.print_exc()
        passed = boundaries.passed
        boundaries.arm()
        connection.send(("answer", value, passed, error))


def _dies_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _log_to(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for standard in (1, 2):
        os.dup2(file, standard)
