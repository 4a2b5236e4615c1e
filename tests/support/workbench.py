"""The product in one process for tests: the API over HTTP, and workers that run when told to."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from fastapi.testclient import TestClient
from psycopg.rows import TupleRow
from pydantic import SecretStr

from services.gateway.app import app
from shared.outbox.claim import revive_work
from shared.outbox.job_kinds import QUEUES
from shared.outbox.sql import scheduling
from shared.runtime.authentication import mint_person_token
from shared.runtime.installation import ID_FILE
from shared.runtime.settings import Settings
from tests.support.backing import Backing
from tests.support.policies import Policy, policy_file
from tests.support.relations import OUR_TABLES
from workers import process as worker_process
from workers.eraser import tasks as eraser
from workers.exporter import tasks as exporter
from workers.importer import tasks as importer
from workers.indexer import tasks as indexer
from workers.learner import tasks as learner
from workers.ledger import tasks as ledger
from workers.maintenance import tasks as maintenance
from workers.reflector import tasks as reflector

SIGNING_KEY = "signing-key-for-tests-0123456789-0123456789"
SERVICE_KEY = "mc_service_for-tests-0123456789"
LOCALHOST = "http://localhost"
DATA_DIR_PREFIX = "memory-center-data-"
TASKS: dict[str, Callable[..., None]] = {
    "eraser": eraser.run,
    "exporter": exporter.run,
    "importer": importer.run,
    "indexer": indexer.run,
    "learner": learner.run,
    "ledger": ledger.run,
    "maintenance": maintenance.run,
    "reflector": reflector.run,
}


def test_settings(
    backing: Backing,
    database_url: str,
    *,
    policy: Policy | None = None,  # noqa: PT028 # it is no test
    host_id: uuid.UUID | None = None,  # noqa: PT028
    **more: Any,
) -> Settings:
    """Return settings for one database of the backing servers, with the packaged policy but for these values.

    Args:
        host_id: another one than of everything else on that database.
    """
    values: dict[str, Any] = {
        "database_url": SecretStr(database_url),
        "broker_url": SecretStr(backing.valkey),
        "milvus_uri": backing.milvus,
        "milvus_flavour": backing.milvus_flavour,
        "embedder_dir": backing.embedder,
        "data_dir": Path(tempfile.mkdtemp(prefix=DATA_DIR_PREFIX)),
        "signing_key": SecretStr(SIGNING_KEY),
        "service_key": SecretStr(SERVICE_KEY),
        "ledger_key": SecretStr("ledger-key-for-tests-0123456789"),
        "worker_threads": 2,
        "person_requests_per_minute": 0,  # many tests have the same few people and one service
        "service_requests_per_minute": 0,
        "recall_patience_seconds": 5.0,  # the machine is busy with other tests
    }
    chosen = {**values, **more}
    # Products that a test opens on one database are parts of one host, unless it says otherwise.
    chosen["data_dir"].mkdir(parents=True, exist_ok=True)
    (chosen["data_dir"] / ID_FILE).write_text(str(host_id or uuid.uuid5(uuid.NAMESPACE_URL, database_url)))
    if policy:
        chosen["policy_file"] = policy_file(chosen["data_dir"], policy)
    return Settings(**chosen)


test_settings.__test__ = False  # type: ignore[attr-defined]


@dataclass
class Person:
    """Someone whose memory is tested, with a token of their own and the assistant's backend at their side."""

    bench: Workbench
    user_id: str
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **query: Any) -> Any:
        """GET as this person; the answer must be a success."""
        answer = self.bench.api.get(path, params=query, headers=self.headers)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.json()

    def post(self, path: str, body: dict[str, Any], *, status: int = 201) -> Any:
        """POST as this person; the answer must have `status`."""
        answer = self.bench.api.post(path, json=body, headers=self.headers)
        assert answer.status_code == status, (answer.status_code, answer.text)
        return answer.json()

    def conversation(self, **body: Any) -> str:
        return str(self.post("/api/v1/conversations", body)["id"])

    def say(self, conversation_id: str, *turns: tuple[str, str]) -> list[tuple[str, str]]:
        """Record turns of (user, assistant); return their message ids."""
        batch = [
            {"role": role, "content": text}
            for turn in turns
            for role, text in zip(("user", "assistant"), turn, strict=True)
        ]
        recorded = self.post("/api/v1/messages", {"conversation_id": conversation_id, "messages": batch})
        ids = [message["id"] for message in recorded["messages"]]
        return list(zip(ids[::2], ids[1::2], strict=True))

    def memories(self) -> list[str]:
        return sorted(memory["content"] for memory in self.get("/api/v1/memory/long_term", limit=200))

    def search(self, query: str, **more: Any) -> list[str]:
        found = self.post("/api/v1/memory/search", {"query": query, **more}, status=200)
        return [item["content"] for item in found["items"]]

    def forget(self, scope: str, **target: Any) -> str:
        if scope == "user":
            target.setdefault("confirmation", "FORGET EVERYTHING")
        return str(self.post("/api/v1/memory/forget", {"scope": scope, **target}, status=202)["op_id"])

    def operation(self, op_id: str) -> Any:
        return self.get(f"/api/v1/memory/ops/{op_id}")


class Workbench:
    """One database, the gateway on it, and its workers."""

    def __init__(self, settings: Settings, api: TestClient) -> None:
        self.settings = settings
        self.api = api
        self.process = worker_process.process()
        self.database = self.process.database
        self._owner: psycopg.Connection[TupleRow] | None = None

    def person(self, user_id: str | None = None) -> Person:
        user_id = user_id or f"person-{uuid.uuid4().hex[:8]}"
        token = mint_person_token(SIGNING_KEY, user_id)
        return Person(self, user_id, {"Authorization": f"Bearer {token}"})

    @property
    def service(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {SERVICE_KEY}"}

    def due(self, kinds: Sequence[str] | None = None) -> list[tuple[int, str]]:
        """Mark and return what the scheduler would publish now."""
        with self.database.begin() as tx:
            revive_work(tx)
            tx.run("update outbox set published_at = null where state = 'ready'")
            marked = scheduling.mark_published(tx, above=0, limit=1000)
        return [(due.id, due.kind) for due in marked if kinds is None or due.kind in kinds]

    def work_once(self, kinds: Sequence[str] | None = None) -> int:
        """Deliver what is due to its workers once; returns how many rows that were."""
        marked = self.due(kinds)
        for queue in sorted({QUEUES[kind] for _, kind in marked}):
            TASKS[queue](outbox_ids=[row_id for row_id, kind in marked if QUEUES[kind] == queue])
        return len(marked)

    def work(self, *, rounds: int = 200) -> None:
        """Let the workers run until nothing is due, hurrying over the delays of retries."""
        for _ in range(rounds):
            if not self.work_once():
                crashed = self.count("select count(*) from outbox where last_error = 'internal_error'")
                assert crashed == 0, "a worker crashed; its log line work.failed names the place"
                return
        left = sorted({kind for _, kind in self.due()})
        raise AssertionError(f"the outbox never ran dry: {left} were due again after {rounds} rounds")

    def hurry(self) -> None:
        """Make delayed rows due now, as time would."""
        with self.database.begin() as tx:
            tx.run("update outbox set available_at = now() where state in ('ready', 'failed')")

    def count(self, sql: str, **values: Any) -> int:
        """Ask PostgreSQL as its owner."""
        row = self.owner().execute(sql.encode(), values).fetchone()
        assert row is not None
        return int(row[0])

    def owner(self) -> psycopg.Connection[TupleRow]:
        """Return a connection of the owner, which is kept: a new one has to learn the tables again."""
        if self._owner is not None:
            try:
                self._owner.execute("select 1")
            except psycopg.Error:  # a test ended it
                self._owner = None
        if self._owner is None:
            url = self.settings.database_url.get_secret_value()
            self._owner = psycopg.connect(url, autocommit=True, application_name="test worker: owner")
        return self._owner

    def close(self) -> None:
        if self._owner is not None:
            self._owner.close()

    def holds(self, canary: str) -> list[str]:
        """Return the tables of PostgreSQL whose rows contain a text."""
        owner = self.owner()
        tables = [one for (one,) in owner.execute(OUR_TABLES)]
        each = [f"select '{table}' from \"{table}\" t where position(%(canary)s in t::text) > 0" for table in tables]
        found = owner.execute(" union ".join(each).encode(), {"canary": canary})
        return sorted(str(table) for (table,) in found)

    def namespace(self, person: Person) -> uuid.UUID:
        """Return where a person's vectors are now."""
        with self.database.begin() as tx:
            found: uuid.UUID = tx.value("select namespace from subjects where user_id = :user", user=person.user_id)
        return found


@contextmanager
def workbench(settings: Settings) -> Iterator[Workbench]:
    """Open the product on one database."""
    worker_process.install(worker_process.Process(settings, application="test worker"))
    try:
        with TestClient(app(settings), base_url=LOCALHOST, raise_server_exceptions=False) as api:
            bench = Workbench(settings, api)
            yield bench
            bench.close()
    finally:
        worker_process.uninstall()
        if settings.data_dir.name.startswith(DATA_DIR_PREFIX):
            shutil.rmtree(settings.data_dir, ignore_errors=True)
