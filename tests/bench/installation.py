"""Real servers, and the product on them as `make run` starts it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

import psycopg

from deploy.embedded.postgres import PostgresServer
from deploy.embedded.processes import last_lines
from deploy.embedded.servers import ValkeyServer
from shared.kernel.database import Database
from shared.outbox.wakeups import Notifier
from shared.runtime.authentication import mint_person_token
from tests.bench.measuring import say, wait_until

REPOSITORY = Path(__file__).parents[2]
READY_SECONDS = 120.0
SECONDS_TO_ERASE = 1800.0
KEPT_SECONDS = 4.0
"""The server closes a connection nobody used for five seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Milvus:
    """Where vectors are."""

    uri: str
    flavour: Literal["lite", "server"]
    token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """PostgreSQL with honest commits, and Valkey; shared by the product and its peers."""

    postgres: PostgresServer
    valkey: ValkeyServer

    def new_database(self, purpose: str) -> str:
        """Return the URL of a database that did not exist before."""
        name = f"{purpose}_{uuid.uuid4().hex[:8]}"
        with psycopg.connect(self.postgres.url("postgres"), autocommit=True) as connection:
            connection.execute(f'create database "{name}"'.encode())
        return self.postgres.url(name)


@contextmanager
def servers(directory: Path) -> Iterator[Servers]:
    """Start PostgreSQL, durable as in production, and Valkey."""
    with (
        PostgresServer(directory / "postgres", password="bench") as postgres,
        ValkeyServer(directory / "valkey", password="bench") as valkey,
    ):
        yield Servers(postgres=postgres, valkey=valkey)


@dataclass
class Installation:
    """The product, running."""

    directory: Path
    database_url: str
    milvus: Milvus
    process: subprocess.Popen[bytes]
    sql: psycopg.Connection = field(init=False)

    def __post_init__(self) -> None:
        wait_until(self._is_ready, seconds=READY_SECONDS, what="the product's readiness", poll=0.2)
        self.sql = psycopg.connect(self.database_url, autocommit=True)

    def _is_ready(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the product ended with {self.process.returncode}; see {self.directory / 'logs'}")
        try:
            status, answer = self.caller("nobody").call("GET", "/readyz")
        except (OSError, ValueError, KeyError, http.client.HTTPException):
            return False
        return status == http.HTTPStatus.OK and answer["status"] == "ready" and self.pid("worker") > 0

    def pid(self, name: str) -> int:
        """Return the process id of a part that is ready; 0 while it is not."""
        process = self._read("run.json")["processes"].get(name)
        ready = name == "gateway" or (self.directory / "run" / f"{name}.ready").exists()
        return int(process["pid"]) if process and ready else 0

    def _read(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.directory / name).read_text())
        return found

    def caller(self, user_id: str) -> Caller:
        """Return a connection that is kept, with a person's token."""
        return Caller(*self.way_in(user_id))

    def way_in(self, user_id: str) -> tuple[str, str]:
        """Return the API's URL and a person's token."""
        token = mint_person_token(self._read("secrets.json")["signing_key"], user_id, minutes=600)
        return str(self._read("run.json")["url"]), token

    @contextmanager
    def database(self) -> Iterator[Database]:
        """Open the database as a process of the product does, wake-ups included."""
        notifier = Notifier(self.database_url)
        database = Database(self.database_url, application="bench", pool_size=4, after_commit=notifier.wake)
        try:
            yield database
        finally:
            database.close()
            notifier.close()

    def status(self, op_id: str) -> str:
        """Return an operation's status without costing the gateway anything."""
        row = self.sql.execute("select status from operations where id = %s", [op_id]).fetchone()
        assert row is not None
        return str(row[0])

    def finished(self, op_id: str, *, seconds: float = SECONDS_TO_ERASE) -> None:
        """Wait until an operation succeeded."""

        def succeeded() -> bool:
            status = self.status(op_id)
            if status == "failed":
                raise RuntimeError(f"operation {op_id} failed; see {self.directory / 'logs'}")
            return status == "succeeded"

        wait_until(succeeded, seconds=seconds, what="the end of a forget")


class Caller:
    """One person's kept connection; the standard library's client, because its own time is in every number."""

    def __init__(self, url: str, token: str) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
        self._used = 0.0
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Return the status and the JSON of one answer."""
        content = None if body is None else json.dumps(body)
        if time.monotonic() - self._used > KEPT_SECONDS:
            self._connection.close()
            self._connection.connect()
        self._used = time.monotonic()
        self._connection.request(method, path, content, self._headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    def forget(self, scope: str, **target: Any) -> str:
        """Ask for a forget; return its operation's id."""
        status, answer = self.call("POST", "/api/v1/memory/forget", {"scope": scope, **target})
        assert status == http.HTTPStatus.ACCEPTED, (status, answer)
        return str(answer["op_id"])

    def forget_user(self) -> str:
        return self.forget("user", confirmation="FORGET EVERYTHING")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def installation(on: Servers, milvus: Milvus, directory: Path, *, broker: int = 0) -> Iterator[Installation]:
    """Run the product on servers that run already, with a database and a number in Valkey of its own."""
    directory.mkdir(parents=True)
    url = on.new_database("memory_center")
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPOSITORY),
        "MEMORY_CENTER_DATABASE_URL": url,
        "MEMORY_CENTER_BROKER_URL": on.valkey.url(broker),
        "MEMORY_CENTER_MILVUS_URI": milvus.uri,
        "MEMORY_CENTER_MILVUS_FLAVOUR": milvus.flavour,
        "MEMORY_CENTER_MILVUS_TOKEN": milvus.token,
        "MEMORY_CENTER_LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-m", "tests.bench.product", str(directory)]
    with (directory / "launcher.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=REPOSITORY)
    try:
        running = Installation(directory, url, milvus, process)
        say(f"the product is ready on Milvus {milvus.flavour}")
        yield running
        running.sql.close()
    except Exception:
        for name in sorted(directory.rglob("*.log")):
            say("\n  ".join([f"the end of {name.name}:", *last_lines(name)]))
        raise
    finally:
        process.terminate()
        process.wait(60)
