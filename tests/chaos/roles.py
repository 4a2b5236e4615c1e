"""What the actors of a run can be told to do. Everything here runs in a forked process that may be killed any time."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from services.cli.replay import replay
from services.gateway.app import app as gateway
from shared.erasure.discard_vectors import queue_abandoned
from shared.erasure.purge import queue_purge
from shared.erasure.rebuild import rebuild_read_models
from shared.erasure.reconcile import queue_reconcile
from shared.kernel import event_log, subjects
from shared.kernel.database import Database
from shared.kernel.events import MemoryLearned
from shared.kernel.new_ids import new_id
from shared.lineage.sql import lineage, vector_keys
from shared.lineage.sql.lineage import Derivation
from shared.lineage.sql.vector_keys import Intent
from shared.memories.rules.memories import fold
from shared.memories.sql import contents, memories
from shared.memories.sql.contents import Content
from shared.runtime.settings import Settings
from shared.stores.inspection import COLLECTIONS, Inspection
from shared.stores.milvus_client import connect
from shared.stores.ownership import MARK
from shared.stores.port import EpisodeVector, ErasureTarget
from tests.chaos.boundaries import Boundaries
from tests.support.workbench import LOCALHOST
from workers import __main__ as worker_main
from workers.celery_app import app as celery
from workers.process import Process, install, process
from workers.scheduler.publishing import Publisher, WakeUp

assert worker_main.TASKS, "importing them registers their tasks"


_built: list[FastAPI] = []


def preload(settings: Settings) -> None:
    """Import what is imported on first use and build the gateway, so that no actor has to; nothing is opened."""
    import sqlalchemy.dialects.postgresql.psycopg  # noqa: F401

    import shared.language.extraction  # noqa: F401

    _built[:] = [gateway(settings)]


class Api:
    """The gateway, asked over ASGI."""

    def __init__(self, _settings: Settings, boundaries: Boundaries, _connection: Connection) -> None:
        self._client = TestClient(_built[0], base_url=LOCALHOST, raise_server_exceptions=False)
        self._client.__enter__()
        boundaries.arm()

    def request(self, *, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any]:
        answer = self._client.request(method, path, json=body, headers=headers)
        return answer.status_code, answer.json() if answer.content else None


class Worker:
    """A worker process without Celery: its tasks are called with outbox ids, as Celery would."""

    def __init__(self, settings: Settings, boundaries: Boundaries, _connection: Connection) -> None:
        self._boundaries = boundaries
        install(Process(settings, application="chaos worker"))

    def warm_up(self) -> None:
        """Open the stores, so that the boundaries of the next command are those of work."""
        worker_main.warm_up(learns=True)

    def work(self, *, queue: str, ids: Sequence[int]) -> None:
        """Take one delivery."""
        celery.tasks[f"{queue}.run"](outbox_ids=list(ids))

    def sweep(self) -> int:
        """Queue the removal of abandoned keys, as the scheduler does."""
        return process().database.transact(queue_abandoned)

    def reconcile(self) -> str:
        """Queue a comparison of the stores with PostgreSQL, as the scheduler does; return its operation."""
        return str(process().database.transact(queue_reconcile))

    def purge(self) -> str | None:
        """Queue a purge, as the scheduler does; return its operation, None when nothing was forgotten."""
        operation = process().database.transact(queue_purge)
        return str(operation) if operation else None

    def lose(self, *, store: str, namespace: str, key: str) -> None:
        """Delete a row from a store and tell nobody."""
        opened = process().mem0 if store == "mem0" else process().episodes
        opened.erase([ErasureTarget(namespace=uuid.UUID(namespace), keys=(uuid.UUID(key),))])

    def plant_episode(self, *, namespace: str, key: str, message_ids: Sequence[str], text: str) -> list[str]:
        """Insert an episode's row that nobody announced; return its key."""
        row = EpisodeVector(
            key=uuid.UUID(key),
            namespace=uuid.UUID(namespace),
            conversation_id=new_id(),
            episode_id=new_id(),
            message_ids=tuple(map(uuid.UUID, message_ids)),
            vector=process().embedder.query(text),
        )
        process().episodes.insert([row])
        return [key]

    def plant_memory(self, *, namespace: str, text: str) -> list[str]:
        """Let mem0 store what nobody announced; return its keys."""
        keys: list[str] = []

        def announce(records: Sequence[tuple[uuid.UUID, str]], _kind: str, _links: Mapping[Any, Any]) -> None:
            keys.extend(str(key) for key, _ in records)

        process().mem0.remember(uuid.UUID(namespace), text, announce=announce)
        return keys

    def rebuild(self) -> None:
        """Fold the read models again."""
        process().database.transact(rebuild_read_models)

    def merge(self, *, user_id: str, text: str, sources: Sequence[str]) -> str:
        """Store a memory worded from several messages, as a language model would; return its id."""
        memory_id = new_id()
        database = process().database
        keys: list[uuid.UUID] = []

        def announce(records: Sequence[tuple[uuid.UUID, str]], _kind: str, _links: object) -> None:
            with database.begin() as tx:
                subject = subjects.find_or_create(tx, user_id)
                intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, _ in records]
                vector_keys.announce(tx, subject, "mem0", intents, step_id=0)
            keys.extend(key for key, _ in records)

        with database.begin() as tx:
            namespace = subjects.find_or_create(tx, user_id).namespace
        process().mem0.remember(namespace, text, announce=announce)
        with database.begin() as tx:
            subject = subjects.find_or_create(tx, user_id)
            learned = MemoryLearned(
                content_type="fact",
                scope="global",
                project_id=None,
                origin="extracted",
                importance=5,
                taboo=False,
                supersedes=None,
                conversation_id=None,
                spoken_at=None,
            )
            event_log.append(tx, subject, memory_id, [learned], actor="test")
            memory = fold([(learned, tx.now())])
            assert memory is not None
            memories.save(tx, subject.id, subject.generation, memory_id, memory)
            contents.add_contents(tx, subject.id, {memory_id: Content(text=text)})
            edges = [
                Derivation(
                    derived_kind="memory", derived_id=memory_id, source_kind="message", source_id=uuid.UUID(source)
                )
                for source in sources
            ]
            lineage.add(tx, subject, edges)
            vector_keys.confirm(tx, keys)
        return str(memory_id)


class Scheduler:
    """The scheduler, with a broker that is a list; its clock moves when told to."""

    def __init__(self, settings: Settings, boundaries: Boundaries, connection: Connection) -> None:
        self._boundaries, self._connection = boundaries, connection
        self._now = 1000.0
        self._refuse = 0
        database = Database(settings.database_url.get_secret_value(), application="chaos scheduler", pool_size=2)
        self._publisher = Publisher(database, self._publish, now=lambda: self._now)

    def turn(self, *, later: float, refuse: int) -> None:
        """One turn, `later` seconds after the last; the broker refuses message number `refuse`, 0 for none."""
        self._now += later
        self._refuse = refuse
        self._publisher.turn()

    def _publish(self, wake_up: WakeUp) -> None:
        self._boundaries.reach("before publish")
        self._refuse -= 1
        if self._refuse == 0:
            raise ConnectionError
        # By worker, not by queue: rows in quarantine are the same work in another process.
        self._connection.send(("published", wake_up.worker, list(wake_up.ids)))
        self._boundaries.reach("after publish")


class Operator:
    """Who runs `memory-center` commands."""

    def __init__(self, settings: Settings, boundaries: Boundaries, _connection: Connection) -> None:
        secret = settings.ledger_key
        assert secret is not None
        os.environ["MEMORY_CENTER_DATABASE_URL"] = settings.database_url.get_secret_value()
        os.environ["MEMORY_CENTER_LEDGER_KEY"] = secret.get_secret_value()
        self._data_dir = settings.data_dir
        boundaries.arm()

    def replay(self) -> None:
        """Forget again what the ledger's file says was forgotten."""
        replay(self._data_dir)


class Inspector:
    """Reads whole collections; its own process because gRPC and forking do not mix."""

    def __init__(self, settings: Settings, _boundaries: Boundaries, _connection: Connection) -> None:
        self._inspection = Inspection(settings.milvus_uri, timeout=10.0)
        self._milvus = connect(settings.milvus_uri, timeout=10.0)

    def rows(self) -> dict[str, list[tuple[str, str, str]]]:
        """Return (key, namespace, text) of every row, by collection."""
        return {
            name: [(str(row.key), str(row.namespace), row.text) for row in self._inspection.rows(name)]
            for name in COLLECTIONS
        }

    def unserved(self) -> list[str]:
        """Return the collections no alias stands for, such as half a copy of a purge that was killed."""
        serving = {self._milvus.behind(name) for name in COLLECTIONS if self._milvus.exists(name)}
        return [name for name in self._milvus.collections() if name not in serving and not name.startswith(MARK)]


ROLES: dict[str, Any] = {
    "api": Api,
    "worker": Worker,
    "scheduler": Scheduler,
    "inspector": Inspector,
    "operator": Operator,
}
