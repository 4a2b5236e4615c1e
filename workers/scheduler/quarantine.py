"""Runs a quarantine worker, only while there is work for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog

from shared.outbox.job_kinds import QUARANTINE
from shared.runtime.readiness import READY_FILE_VARIABLE
from shared.runtime.start_signal import START_FILE_VARIABLE

log = structlog.get_logger()

COMMAND: Final = (sys.executable, "-P", "-m", "workers")
LONGEST_PAUSE_SECONDS: Final = 60.0
_OF_THE_SCHEDULER_ALONE: Final = (READY_FILE_VARIABLE, START_FILE_VARIABLE, "MEMORY_CENTER_METRICS_PORT")


def pause_after(deaths: int) -> float:
    """Return the seconds to wait after this many deaths in a row: 0, 1, 2, 4 … 60."""
    return min(LONGEST_PAUSE_SECONDS, 2.0 ** min(deaths - 1, 16)) if deaths else 0.0


class QuarantineWorker:
    """Starts a child process when quarantine work was published; the child exits when idle.

    A row published while the child exits is offered again after 12 s and starts a new child. After each death the next
    start waits longer, so that a bad row cannot use up the CPU.

    Args:
        command: runs a worker, which reads its queue from MEMORY_CENTER_QUEUES.
        pause: returns the seconds to wait after this many deaths in a row.
    """

    def __init__(self, command: Sequence[str] | None = None, *, pause: Callable[[int], float] = pause_after) -> None:
        self._command = tuple(command or COMMAND)
        self._pause = pause
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._forever, name="quarantine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def want(self) -> None:
        """Request a child; returns at once."""
        self._wanted.set()

    @property
    def pid(self) -> int | None:
        """The pid of the running child, or None."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def stop(self, *, patience: float) -> None:
        """Stop the child; it has `patience` seconds to finish its row."""
        self._stopping.set()
        self._wanted.set()
        for end in (subprocess.Popen.terminate, subprocess.Popen.kill):
            if self._child is not None:
                end(self._child)
            self._thread.join(patience)

    def _forever(self) -> None:
        deaths = 0
        while True:
            self._wanted.wait()
            if self._stopping.is_set():
                return
            code = self._serve()
            self._wanted.clear()  # rows published meanwhile and not done are offered again
            deaths = deaths + 1 if code else 0
            if code and not self._stopping.is_set():
                log.warning("quarantine.died", exit_code=code, deaths=deaths)
            if self._stopping.wait(self._pause(deaths)):
                return

    def _serve(self) -> int:
        """Run one child until it exits; return its exit code."""
        log.info("quarantine.started")
        try:
            self._child = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, env=environment(os.environ))
        except OSError:
            log.exception("quarantine.not_started")
            return 1
        if self._stopping.is_set():  # `stop` may have run before the child existed
            self._child.terminate()
        return self._child.wait()


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the child's environment: this process's, with its queue, without variables meant for one process only."""
    return {name: value for name, value in own.items() if name not in _OF_THE_SCHEDULER_ALONE} | {
        "MEMORY_CENTER_QUEUES": QUARANTINE
    }
