"""The real installation of the demo: `memory-center up` as a child process with its own data directory."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import httpx

from deploy.embedded import ports, processes
from deploy.embedded.data_directory import DataDirectory, Run, Secrets, is_alive
from deploy.embedded.servers import milvus_uri
from services.cli.installation import running_database_url

_READY_WITHIN_SECONDS = 120.0
_STOP_WITHIN_SECONDS = 40.0
_POLL_SECONDS = 0.05


class DemoFailed(Exception):
    """The demo cannot continue; the message is one line for a person."""


def wait_until(condition: Callable[[], bool], seconds: float, otherwise: Callable[[], str]) -> None:
    """Return as soon as `condition` is true.

    Raises:
        DemoFailed: it was not true within `seconds`; `otherwise` returns the message.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise DemoFailed(otherwise())
        time.sleep(_POLL_SECONDS)


class Stack:
    """The complete stack, started on entering and stopped on leaving; `root` is kept."""

    def __init__(self, root: Path) -> None:
        self.directory = DataDirectory(root)
        self.url = f"http://{ports.LOOPBACK}:{ports.free_port()}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.directory.make()
        port = self.url.rpartition(":")[2]
        options = ["--data-dir", str(self.directory.root), "--port", port, "--stop-with-parent"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "services.cli.main", "up", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=_own_environment(),
                start_new_session=True,  # Ctrl-C is handled by the demo, which then stops the stack
            )
        try:
            wait_until(self._is_ready, _READY_WITHIN_SECONDS, lambda: "the servers did not become ready in time")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop everything and wait for it; a second Ctrl-C makes it faster."""
        process = self._process
        if process is None:
            return
        for _ in range(2):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                process.wait(_STOP_WITHIN_SECONDS)
                return
        process.kill()
        process.wait()

    def kill(self, name: str) -> None:
        """Kill one of the servers, like a crash; the launcher restarts it."""
        killed = self._run().processes[name]
        os.kill(killed.pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(killed), 5, lambda: f"{name} still runs after it was killed")

    @property
    def secrets(self) -> Secrets:
        """Return the installation's secrets."""
        found = self.directory.secrets()
        if found is None:
            raise DemoFailed("the installation has no secrets")
        return found

    @property
    def database_url(self) -> str:
        """Return the embedded PostgreSQL's URL, as superuser: base tables are read, not views."""
        url = running_database_url(self.directory.root)
        if url is None:
            raise DemoFailed("PostgreSQL is not running")
        return url

    @property
    def milvus_uri(self) -> str:
        return milvus_uri(self.directory.milvus)

    @property
    def _log(self) -> Path:
        return self.directory.log("up")

    def _run(self) -> Run:
        found = self.directory.run()
        if found is None:
            raise DemoFailed("the installation is not running")
        return found

    def _is_ready(self) -> bool:
        assert self._process is not None  # noqa: S101 # asked after it was started
        if self._process.poll() is not None:
            reason = (processes.last_lines(self._log, 1) or ["no reason given"])[0]
            raise DemoFailed(f"the servers did not start: {reason}")
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/readyz", timeout=5, trust_env=False).status_code == httpx.codes.OK
        return False


def _own_environment() -> dict[str, str]:
    """Return the environment without settings meant for another installation."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_CENTER_")}
