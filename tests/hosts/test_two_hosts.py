"""Two hosts in real processes on one PostgreSQL, Valkey, Milvus server and bucket.

Each host has a data directory and a network namespace of its own: it reaches nothing but those servers. `make
test-hosts` runs it, as root.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
import psycopg
import pytest

from deploy.embedded.postgres import PostgresServer
from migrations.upgrade import upgrade
from shared.kernel.hosts import LIVING_SECONDS
from tests.e2e.conftest import READY_SECONDS, Stack, wait_for
from tests.e2e.test_waiting import Somebody
from tests.support.backing import TEMPLATE, Backing
from tests.support.bucket_servers import ACCESS_KEY, SECRET_KEY, BucketServer
from tests.support.dumping import base_backup, dump, restore, restore_base_backup
from tests.support.milvus_servers import StandaloneServer, milvus_standalone
from tests.support.networks import Cables, Network, network

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")

SECONDS = 60.0
TAKEN_OVER_SECONDS = 16.0
"""From a host's death until its leases end and another host has its work."""
PEANUTS = "I'm allergic to peanuts."


@pytest.fixture(scope="module")
def milvus() -> Iterator[StandaloneServer]:
    with milvus_standalone() as server:
        yield server


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    # Not below pytest's own directory: PostgreSQL runs as another user.
    with tempfile.TemporaryDirectory(prefix="memory-center-hosts-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        with PostgresServer(Path(folder) / "postgres", password="only-for-tests", databases=(TEMPLATE,)) as server:
            upgrade(server.url(TEMPLATE))
            yield server


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """A new database on a server of its own, so that the server can be restored too.

    A copy of one: Milvus belongs to the installation that used it first.
    """
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} template {TEMPLATE}".encode())
    yield postgres.url(name)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)".encode())


class Dumped:
    """A database, backed up and restored by `pg_dump` and `pg_restore`."""

    def __init__(self, _server: PostgresServer, url: str, folder: Path) -> None:
        self.take = partial(dump, url, folder / "backup")
        self.restore = partial(restore, url, folder / "backup")


class Copied:
    """A server, backed up by `pg_basebackup` and restored by its files."""

    def __init__(self, server: PostgresServer, _url: str, folder: Path) -> None:
        self.take = partial(base_backup, server, folder / "backup")
        self.restore = partial(restore_base_backup, server, folder / "backup")


@pytest.fixture
def servers(backing: Backing, database: str, milvus: StandaloneServer, bucket_server: BucketServer) -> dict[str, str]:
    """The environment of every host: one of each server, the same keys, and a bucket for packages."""
    return {
        "MEMORY_CENTER_STACK": "external",
        "MEMORY_CENTER_DATABASE_URL": database,
        "MEMORY_CENTER_BROKER_URL": backing.valkey,
        "MEMORY_CENTER_MILVUS_URI": milvus.uri,
        "MEMORY_CENTER_MILVUS_TOKEN": milvus.token,
        "MEMORY_CENTER_MILVUS_FLAVOUR": "server",
        "MEMORY_CENTER_SIGNING_KEY": secrets.token_urlsafe(32),
        "MEMORY_CENTER_SERVICE_KEY": secrets.token_urlsafe(32),
        "MEMORY_CENTER_LEDGER_KEY": secrets.token_urlsafe(32),
        **in_a_bucket("FILES", bucket_server),
    }


@pytest.fixture
def ledger(bucket_server: BucketServer) -> dict[str, str]:
    return in_a_bucket("LEDGER", bucket_server)


def in_a_bucket(what: str, server: BucketServer) -> dict[str, str]:
    place = server.bucket()
    told = {"BUCKET": place.bucket, "ENDPOINT": str(place.endpoint), "ACCESS_KEY": ACCESS_KEY, "SECRET_KEY": SECRET_KEY}
    return {f"MEMORY_CENTER_{what}_S3_{name}": value for name, value in told.items()}


class Host(Stack):
    """A host: a data directory, a network, and the processes of `memory-center up` in them."""

    environment: dict[str, str]
    network: Network
    servers: Cables
    """To the servers."""
    door: Cables
    """To its gateway, from outside."""

    @cached_property
    def url(self) -> str:
        """The address of its gateway from outside."""
        port = urlsplit(str(self.run["url"])).port
        assert port is not None
        return f"http://127.0.0.1:{self.door.lay(OURS, self.network, port, listen=0)}"

    @property
    def secrets(self) -> dict[str, str]:
        return {"service_key": self.environment["MEMORY_CENTER_SERVICE_KEY"]}

    def is_up(self) -> bool:
        with suppress(httpx.HTTPError, OSError, ValueError, KeyError):
            return httpx.get(f"{self.url}/livez", timeout=2).status_code == 200
        return False

    def refusal(self) -> str | None:
        """Return the code with which it refuses everything; None if it serves."""
        with self.client() as api:
            answer = api.get("/api/v1/memory/long_term", params={"user_id": "nobody"})
            ready = api.get("/readyz")
        if answer.status_code == 200:
            return None
        code = str(answer.json()["code"])
        return code if ready.status_code == 503 else f"{code}, but ready"

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        told = [sys.executable, "-m", "services.cli.main", *arguments]
        environment = {**self.environment, "MEMORY_CENTER_DATA_DIR": str(self.data_dir)}
        return subprocess.run(self.network.command(*told), env=environment, capture_output=True, text=True, check=False)

    def die(self) -> None:
        """Lose its power: every process at once."""
        family = [self.process.pid, *(child.pid for child in psutil.Process(self.process.pid).children(recursive=True))]
        family += [int(one["pid"]) for one in self.run["processes"].values()]
        for pid in dict.fromkeys(family):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(30)


OURS = Network(None)


@contextmanager
def host(environment: dict[str, str]) -> Iterator[Host]:
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-host-", ignore_cleanup_errors=True) as directory,
        network() as own,
        closing(Cables()) as cables,
        closing(Cables()) as door,
    ):
        for port in {urlsplit(value).port for value in environment.values() if "://" in value}:
            assert port is not None
            cables.lay(own, OURS, port)
        told = [sys.executable, "-m", "services.cli.main", "up", "--data-dir", directory, "--stop-with-parent"]
        whole = {**os.environ, **environment}
        with (Path(directory) / "terminal").open("wb") as terminal:
            process = subprocess.Popen(own.command(*told), stdout=terminal, stderr=terminal, env=whole)
        one = Host(Path(directory), process)
        one.environment, one.network, one.servers, one.door = whole, own, cables, door
        try:
            wait_for(one.is_up, seconds=READY_SECONDS, what="a host's gateway")
            yield one
        finally:
            if process.poll() is None:
                one.stop()


@contextmanager
def hosts(*environments: dict[str, str]) -> Iterator[list[Host]]:
    with ExitStack() as stack:
        yield [stack.enter_context(host(environment)) for environment in environments]


def until(one: Host, code: str | None) -> None:
    wait_for(lambda: one.refusal() == code, seconds=SECONDS, what=f"{code or 'serving'} at a host")


@pytest.mark.parametrize("backup", [Dumped, Copied])
def test_a_restore_under_running_hosts_is_refused_and_replayed_from_either(
    servers: dict[str, str],
    ledger: dict[str, str],
    postgres: PostgresServer,
    database: str,
    tmp_path: Path,
    backup: type[Dumped | Copied],
) -> None:
    backed_up = backup(postgres, database, tmp_path)
    with hosts(servers | ledger, servers | ledger) as (one, other):
        wait_for(other.is_ready, seconds=READY_SECONDS, what="two hosts that serve")
        assert one.is_ready(), "they share everything"
        with one.client() as here, other.client() as there:
            ada = Somebody(here)
            message = ada.says(PEANUTS)
            wait_for(partial(ada.knows, "peanuts"), seconds=SECONDS, what="learning")
            backed_up.take()
            ada.api = there
            accepted = forgotten(ada, message)
            wait_for(partial(ada.is_forgotten, accepted["op_id"]), seconds=SECONDS, what="the forget")

            backed_up.restore()

            for either in (one, other):
                until(either, "replay_needed")
            told = other.command("replay")
            assert (told.returncode, told.stderr) == (0, ""), told
            assert "1 forgets are done again" in told.stdout
            for either, api in ((one, here), (other, there)):
                until(either, None)
                ada.api = api
                assert ada.memories() == []
                recalled = api.post("/api/v1/recall", json={"user_id": ada.id, "query": "peanuts"})
                assert recalled.status_code == 200, recalled.text
                assert "peanuts" not in recalled.json()["prompt"]
            wait_for(partial(ada.is_forgotten, accepted["op_id"]), seconds=SECONDS, what="the repeated forget")
            receipt = tmp_path / "receipt.json"
            wait_for(lambda: len(entries(here, accepted["receipt_id"])) == 4, seconds=SECONDS, what="its second proof")
            receipt.write_text(here.get(f"/api/v1/receipts/{accepted['receipt_id']}").text)
            told = one.command("verify-receipt", str(receipt))
            assert told.returncode == 0, told
            assert told.stdout.startswith("PROVEN")


def forgotten(somebody: Somebody, message: str) -> dict[str, Any]:
    body = {"user_id": somebody.id, "scope": "message", "message_id": message, "cascade": True}
    answer = somebody.api.post("/api/v1/memory/forget", json=body)
    assert answer.status_code == 202, answer.text
    accepted: dict[str, Any] = answer.json()
    return accepted


def entries(api: httpx.Client, receipt_id: str) -> list[Any]:
    found: list[Any] = json.loads(api.get(f"/api/v1/receipts/{receipt_id}").text)["entries"]
    return found


def test_hosts_with_a_file_each_refuse_and_go_on_when_one_is_left(servers: dict[str, str]) -> None:
    with host(servers) as one:
        wait_for(one.is_ready, seconds=READY_SECONDS, what="a host that serves")
        with host(servers) as other:
            for either in (one, other):
                until(either, "ledger_not_shared")
            told = one.command("doctor", "--json")
            findings = {each["part"]: each for each in json.loads(told.stdout)["findings"]}
            assert findings["ledger"]["level"] == "fail"
            assert findings["ledger"]["seen"] == "2 hosts do not share their ledger"
            other.die()
            died = time.monotonic()
        until(one, None)
        assert time.monotonic() - died < LIVING_SECONDS + 5


def test_the_work_of_a_host_that_died_goes_on_elsewhere(servers: dict[str, str], ledger: dict[str, str]) -> None:
    with hosts(servers | ledger, servers | ledger) as (one, other):
        wait_for(other.is_ready, seconds=READY_SECONDS, what="two hosts that serve")
        with one.client() as here, other.client() as there:
            people = [Somebody(here) for _ in range(6)]
            for ada in people:
                ada.says(PEANUTS, "I live in Oslo.", "I love jazz.")
            one.die()
            died = time.monotonic()
            for ada in people:
                ada.api = there
            wait_for(
                lambda: all(ada.knows("peanuts") for ada in people), seconds=2 * SECONDS, what="learning elsewhere"
            )
            print(f"\nlearned elsewhere {time.monotonic() - died:.1f} s after a host died")
            assert time.monotonic() - died < TAKEN_OVER_SECONDS + SECONDS / 2, "a busy machine needs longer"


def test_a_host_that_lost_its_network_comes_back_without_what_was_forgotten(
    servers: dict[str, str], ledger: dict[str, str]
) -> None:
    with hosts(servers | ledger, servers | ledger) as (one, other):
        wait_for(other.is_ready, seconds=READY_SECONDS, what="two hosts that serve")
        with one.client() as here, other.client() as there:
            ada = Somebody(here)
            message = ada.says(PEANUTS)
            wait_for(partial(ada.knows, "peanuts"), seconds=SECONDS, what="learning")
            one.servers.pull()
            listed = {"user_id": ada.id}
            answer = here.get("/api/v1/memory/long_term", params=listed)
            assert (answer.status_code, "peanuts" in answer.text) == (503, False)
            ada.api = there
            accepted = forgotten(ada, message)
            wait_for(partial(ada.is_forgotten, accepted["op_id"]), seconds=SECONDS, what="the forget")
            one.servers.plug()
            until(one, None)
            assert here.get("/api/v1/memory/long_term", params=listed).json() == []
