"""An installation as its users start it, people in it, and a model provider that answers from a script."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from memory_center_client import AsyncMemoryCenter, MemoryCenter

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / ".venv/bin/memory-center"


@dataclass
class Installation:
    """A running Memory Center."""

    url: str
    service_key: str
    data_dir: Path

    def token(self, user_id: str) -> str:
        told = subprocess.run(
            [COMMAND, "token", "--user", user_id, "--data-dir", self.data_dir],
            capture_output=True,
            text=True,
            check=True,
        )
        return told.stdout.strip()


@dataclass
class Person:
    """Somebody with memory there."""

    installation: Installation
    user_id: str

    def center(self) -> MemoryCenter:
        return MemoryCenter(self.installation.url, self.installation.token(self.user_id))

    def learned(self, *words: str) -> list[str]:
        """Wait until the memories hold some words, and return them all."""

        def look() -> list[str] | None:
            with self.center() as center:
                found = [one["content"] for one in center.memories.list()]
            return found if all(any(word in one for one in found) for word in words) else None

        return until(look)


@dataclass
class Upstream:
    """A model provider that answers each request with the next line of a script."""

    url: str = ""
    script: list[Any] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)


def until(look: Callable[[], Any], seconds: float = 60) -> Any:
    """Poll until something is true, and return it."""
    end = time.monotonic() + seconds
    while True:
        if found := look():
            return found
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.2)


@pytest.fixture(scope="session")
def installation() -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="memory-center-clients-", ignore_cleanup_errors=True) as directory:
        data_dir = Path(directory)
        command = [COMMAND, "up", "--data-dir", data_dir, "--stop-with-parent"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:

            def ready() -> Installation | None:
                assert process.poll() is None, "it ended"
                try:
                    url = json.loads((data_dir / "run.json").read_text())["url"]
                    if httpx2.get(f"{url}/readyz", timeout=2).json()["status"] != "ready":
                        return None
                    key = json.loads((data_dir / "secrets.json").read_text())["service_key"]
                except (OSError, ValueError, KeyError, httpx2.HTTPError):
                    return None
                return Installation(url, key, data_dir) if (data_dir / "run/worker.ready").exists() else None

            try:
                yield until(ready, 120)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(60)


@pytest.fixture
def ada(installation: Installation) -> Person:
    return Person(installation, f"ada-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def eve(installation: Installation) -> Person:
    return Person(installation, f"eve-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def center(ada: Person) -> Iterator[MemoryCenter]:
    with ada.center() as opened:
        yield opened


@pytest.fixture
def awaited(ada: Person) -> AsyncMemoryCenter:
    """Ada's client to await; a test closes it itself."""
    return AsyncMemoryCenter(ada.installation.url, ada.installation.token(ada.user_id))


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with scripted() as found:
        yield found


@contextmanager
def scripted() -> Iterator[Upstream]:
    """Serve a provider; what is a string is sent as an event stream, all else as JSON."""
    found = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.asked.append(json.loads(body))
            answer = found.script.pop(0)
            sent = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream" if isinstance(answer, str) else "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, ExitStack() as stack:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.shutdown)
        found.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield found


@contextmanager
def door(installation: Installation, *arguments: str, port: int, **environment: str) -> Iterator[str]:
    """Run a command that serves over HTTP until it is stopped; return its address."""
    told = {**os.environ, "MEMORY_CENTER_DATA_DIR": str(installation.data_dir), **environment}
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen([COMMAND, *arguments, "--http", str(port)], env=told, stdout=subprocess.DEVNULL) as process:

        def answers() -> bool:
            assert process.poll() is None, "it ended"
            try:
                httpx2.get(url, timeout=2)
            except httpx2.HTTPError:
                return False
            return True

        try:
            until(answers, 30)
            yield url
        finally:
            process.terminate()
            process.wait(30)
