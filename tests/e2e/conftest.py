"""The product as a newcomer starts it: one command, real processes, HTTP."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

READY_SECONDS = 90.0


def wait_for(condition: Callable[[], Any], *, seconds: float, what: str) -> Any:
    """Poll until the condition is truthy and return it; fail naming `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        if found := condition():
            return found
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(0.05)


@dataclass
class Stack:
    """A running installation."""

    data_dir: Path
    process: subprocess.Popen[bytes]
    printed: bytearray = field(default_factory=bytearray)
    """What it has printed at its terminal."""

    @property
    def run(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.data_dir / "run.json").read_text())
        return found

    @property
    def secrets(self) -> dict[str, str]:
        found: dict[str, str] = json.loads((self.data_dir / "secrets.json").read_text())
        return found

    def pid(self, name: str) -> int:
        """Return the process id of a part; 0 while it is being restarted."""
        process = self.run["processes"].get(name)
        return int(process["pid"]) if process else 0

    def client(self) -> httpx.Client:
        """Return a client with the service key."""
        headers = {"Authorization": f"Bearer {self.secrets['service_key']}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=20)

    @property
    def url(self) -> str:
        return str(self.run["url"])

    def is_ready(self) -> bool:
        assert self.process.poll() is None, "the launcher ended"
        try:
            answer = httpx.get(f"{self.url}/readyz", timeout=2)
            workers = self.data_dir / "run" / "worker.ready"
            return answer.status_code == 200 and answer.json()["status"] == "ready" and workers.exists()
        except (httpx.HTTPError, OSError, ValueError, KeyError):
            return False

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


@contextmanager
def running_installation(data_dir: Path | None = None, *, serves: bool = True, **settings: str) -> Iterator[Stack]:
    """Start everything with one command, and stop it again.

    Args:
        data_dir: a directory that outlives it; a new one if None.
        serves: whether to wait until it is ready.
        settings: variables of its environment.
    """
    with ExitStack() as stack:
        if data_dir is None:
            folder = tempfile.TemporaryDirectory(prefix="memory-center-e2e-", ignore_cleanup_errors=True)
            data_dir = Path(stack.enter_context(folder))
        command = [sys.executable, "-m", "services.cli.main", "up", "--data-dir", str(data_dir), "--stop-with-parent"]
        ours, theirs = pty.openpty()
        environment = {**os.environ, "MEMORY_CENTER_LOG_LEVEL": "debug", "COLUMNS": "200", **settings}
        process = subprocess.Popen(command, stdout=theirs, env=environment)
        os.close(theirs)
        running = Stack(data_dir, process)
        reading = threading.Thread(target=_read, args=(ours, running.printed), daemon=True)
        reading.start()
        try:
            if serves:
                wait_for(running.is_ready, seconds=READY_SECONDS, what="the stack's readiness")
            yield running
        finally:
            running.stop()
            reading.join(10)
            os.close(ours)


def _read(terminal: int, into: bytearray) -> None:
    """Read what is printed at a terminal, until nobody has it open any more."""
    with suppress(OSError):  # Linux says so when the other end is closed
        while chunk := os.read(terminal, 65536):
            into += chunk
