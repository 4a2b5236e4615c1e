"""The real servers behind the tests: embedded by default, containers with MEMORY_CENTER_TEST_STACK=containers."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psycopg
import yaml

from deploy.embedded.postgres import PostgresServer
from deploy.embedded.servers import MilvusLite, ValkeyServer
from migrations.upgrade import upgrade

TEMPLATE = "memory_center_template"
COMPOSE = Path(__file__).parents[2] / "docker-compose.yml"


@dataclass(frozen=True, slots=True)
class Backing:
    """Where the servers are. Databases are cloned from a migrated template."""

    postgres: str
    """postgresql://user:password@host:port, without a database."""
    valkey: str
    milvus: str
    milvus_flavour: Literal["lite", "server"]
    embedder: Path
    """The folder of the embedder's sockets."""

    def url(self, database: str) -> str:
        return f"{self.postgres}/{database}"

    @contextmanager
    def cloned_database(self) -> Iterator[str]:
        """Yield the URL of a fresh, migrated database that nobody else uses."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        self._administer(f'create database "{name}" template "{TEMPLATE}" strategy file_copy')
        try:
            yield self.url(name)
        finally:
            self._administer(f'drop database "{name}" with (force)')

    def _administer(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def backing_servers(directory: Path) -> Iterator[Backing]:
    """Start PostgreSQL, Valkey and Milvus, and migrate the template database."""
    containers = os.environ.get("MEMORY_CENTER_TEST_STACK") == "containers"
    with ExitStack() as stack:
        embedder = directory / "embedder"
        stack.enter_context(embedder_process(embedder))
        backing = _containers(stack, embedder) if containers else _embedded(stack, embedder, directory)
        backing._administer(f'create database "{TEMPLATE}"')
        upgrade(backing.url(TEMPLATE))
        yield backing


@contextmanager
def embedder_process(folder: Path, *, module: str = "services.embedder") -> Iterator[subprocess.Popen[bytes]]:
    """Run the embedder's process with its sockets in a folder."""
    environment = {**os.environ, "MEMORY_CENTER_EMBEDDER_DIR": str(folder), "MEMORY_CENTER_LOG_LEVEL": "error"}
    with subprocess.Popen([sys.executable, "-m", module], env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()


def _embedded(stack: ExitStack, embedder: Path, directory: Path) -> Backing:
    postgres = PostgresServer(directory / "postgres", password="only-for-tests", durable=False).start()
    stack.callback(postgres.stop)
    valkey = ValkeyServer(directory / "valkey", password="only-for-tests").start()
    stack.callback(valkey.stop)
    milvus = MilvusLite(directory / "milvus").start()
    stack.callback(milvus.stop)
    return Backing(postgres.url("postgres").rsplit("/", 1)[0], valkey.url(), milvus.url(), "lite", embedder)


def _containers(stack: ExitStack, embedder: Path) -> Backing:
    from testcontainers.community.milvus import MilvusContainer
    from testcontainers.community.postgres import PostgresContainer
    from testcontainers.community.redis import RedisContainer

    # The images of the compose file, so that its versions are the tested ones.
    images = {name: service["image"] for name, service in yaml.safe_load(COMPOSE.read_text())["services"].items()}
    postgres = stack.enter_context(PostgresContainer(images["postgres"], driver=None))
    valkey = stack.enter_context(RedisContainer(images["valkey"]))
    milvus = stack.enter_context(MilvusContainer(images["milvus"]))
    address = f"redis://{valkey.get_container_host_ip()}:{valkey.get_exposed_port(6379)}/0"
    url = postgres.get_connection_url().rsplit("/", 1)[0]
    return Backing(url, address, milvus.get_connection_url(), "server", embedder)
