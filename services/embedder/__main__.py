"""`python -m services.embedder`: loads the models once and answers requests in forked processes.

The engines are C code that processes untrusted text. A text that crashes an engine ends one of these processes, which
is replaced within milliseconds: the gateway and the workers are unaffected, and the client is informed (see
`shared.language.embedding.socket`). Each process handles one request at a time, so that the cause of a crash is known.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import time
from array import array
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NoReturn

import structlog

from shared.language.embedding.bundled import BundledE5
from shared.language.embedding.socket import Lane, address
from shared.language.reader.engine import Reader
from shared.language.reader.habits import HabitReader
from shared.language.reader.reading import LocalReadings
from shared.language.reader.socket import answered
from shared.runtime import logging
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import EmbedderSettings

REQUEST_BYTES: Final = 4_000_000
REQUEST_SECONDS: Final = 5.0
"""How long a process waits for the request after a client has connected."""
LISTENING: Final = 128
PARENT_POLL_SECONDS: Final = 1.0
SHORT_LIFE_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 0.05
"""Pause before a process that crashed within `SHORT_LIFE_SECONDS` is replaced."""

log = structlog.get_logger()


class Models:
    """The models, loaded once and used only by child processes: an engine must not be forked after its first use."""

    def __init__(self) -> None:
        self.embedder = BundledE5()
        habits = HabitReader(self.embedder)
        self.readings = LocalReadings(Reader(), lambda: habits)
        _give_back_memory()


def _give_back_memory() -> None:
    """Return to the system what loading the models needed for a moment: glibc would keep 80 MiB of it for good."""
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


class Embedder:
    """The parent process: owns the sockets and the models, and replaces processes that crashed.

    Args:
        folder: for the sockets; only this user may enter it.
        processes: number of processes for passages, and for queries; half as many run the reader.
    """

    def __init__(self, folder: Path, *, processes: int) -> None:
        self._models = Models()
        self._processes = processes
        self._children: dict[int, tuple[Lane, float]] = {}
        self._stopping = False
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        self._sockets = {lane: _listening(lane.socket_in(folder)) for lane in Lane}

    def run(self) -> None:
        """Keep the processes running until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop())
        for lane in Lane:
            for _ in range(max(1, self._processes // 2) if lane is Lane.READINGS else self._processes):
                self._start(lane)
        announce_ready()
        while self._children:
            pid, status = os.wait()
            lane, born = self._children.pop(pid)
            if self._stopping:
                continue
            log.warning("embedder.died", lane=lane, exit_code=os.waitstatus_to_exitcode(status))
            if time.monotonic() - born < SHORT_LIFE_SECONDS:
                time.sleep(PAUSE_SECONDS)
            self._start(lane)

    def _start(self, lane: Lane) -> None:
        if self._stopping:
            return
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            with suppress(BaseException):
                serve(self._sockets[lane], self._models, lane, parent)
            os._exit(1)
        self._children[pid] = (lane, time.monotonic())
        if self._stopping:  # told to stop during the fork
            self._stop()

    def _stop(self) -> None:
        self._stopping = True
        for pid in list(self._children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def serve(listener: socket.socket, models: Models, lane: Lane, parent: int) -> NoReturn:
    """Answer one client at a time while the parent is alive."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    listener.settimeout(PARENT_POLL_SECONDS)
    while True:
        try:
            peer, _ = listener.accept()
        except TimeoutError:
            if os.getppid() != parent:
                os._exit(0)
            continue
        peer.settimeout(None)
        with suppress(EOFError, OSError), Connection(peer.detach()) as connection:
            attend(connection, models, lane)


def attend(connection: Connection, models: Models, lane: Lane) -> None:
    """Answer the request of one client, unless it has stopped waiting: then nothing is computed."""
    if connection.poll(REQUEST_SECONDS):
        asked = connection.recv_bytes(REQUEST_BYTES)
        if not connection.poll():  # whoever stopped waiting has closed it
            connection.send_bytes(_answer(models, lane, json.loads(asked)))


def _answer(models: Models, lane: Lane, asked: Any) -> bytes:
    try:
        if lane is Lane.READINGS:
            return json.dumps(answered(models.readings, asked)).encode()
        model = models.embedder
        vectors = model.passages(asked) if lane is Lane.PASSAGES else [model.query(text) for text in asked]
    except Exception as error:  # noqa: BLE001 # whoever asked is told that it failed, and nobody what of
        log.error("embedder.failed", lane=lane, **logging.failure(error))  # noqa: TRY400 # no exception's text
        return b""
    return b"".join(array("f", vector).tobytes() for vector in vectors)


def _listening(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)  # left by a killed process
    listener = socket.socket(socket.AF_UNIX)
    with address(path) as place:
        listener.bind(place)
    path.chmod(0o600)
    listener.listen(LISTENING)
    return listener


def main() -> int:
    chosen = EmbedderSettings()
    logging.configure(chosen.log_level, "embedder")
    Embedder(chosen.embedder_folder, processes=chosen.embedder_processes).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
