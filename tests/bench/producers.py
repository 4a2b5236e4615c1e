"""A process that queues no-ops for one contender, as fast as its documented interface lets one client.

    python -m tests.bench.producers CONTENDER URL COUNT BATCH

It says `ready`, waits for a line, queues, and says `done`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

Produce = Callable[[int], None]


def ours(url: str) -> Produce:
    """Return what commits a batch of outbox rows and wakes the scheduler."""
    from shared.kernel.database import Database
    from shared.kernel.new_ids import new_id
    from shared.outbox.sql import outbox
    from shared.outbox.sql.outbox import Work
    from shared.outbox.wakeups import Notifier
    from tests.bench.noop import KIND

    database = Database(url, application="bench producer", pool_size=1, after_commit=Notifier(url).wake)
    subject_id = new_id()
    database.ping()

    def produce(batch: int) -> None:
        with database.begin() as tx:
            outbox.add(tx, subject_id, [Work(kind=KIND, payload={})] * batch)

    return produce


def procrastinate(url: str) -> Produce:
    """Return what defers a batch of jobs in one statement."""
    from tests.bench.peers.procrastinate_jobs import NOOP, synchronous_jobs

    app = synchronous_jobs(url)
    app.open()
    deferrer = app.configure_task(NOOP)

    def produce(batch: int) -> None:
        deferrer.batch_defer(*[{}] * batch)

    return produce


def dbos(url: str) -> Produce:
    """Return what enqueues a batch of workflows in one transaction."""
    import sqlalchemy
    from dbos import DBOSClient

    from tests.bench.peers.dbos_workflows import QUEUE, VERSION, WORKFLOW

    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    client = DBOSClient(system_database_url=url)

    def produce(batch: int) -> None:
        with engine.begin() as connection:
            for _ in range(batch):
                client.enqueue_in_transaction(
                    connection, {"queue_name": QUEUE, "workflow_name": WORKFLOW, "app_version": VERSION}
                )

    return produce


def celery(url: str) -> Produce:
    """Return what sends messages one by one over a kept connection: Celery has no batches."""
    from tests.bench.peers.celery_tasks import app, noop

    app.conf.broker_url = url
    producer = app.amqp.Producer(app.connection_for_write())

    def produce(batch: int) -> None:
        for _ in range(batch):
            noop.apply_async(producer=producer)

    return produce


PRODUCERS: dict[str, Callable[[str], Produce]] = {
    "ours": ours,
    "procrastinate": procrastinate,
    "dbos": dbos,
    "celery": celery,
}


def main() -> None:
    contender, url, count, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    produce = PRODUCERS[contender](url)
    print("ready", flush=True)
    sys.stdin.readline()
    for start in range(0, count, batch):
        produce(min(batch, count - start))
    print("done", flush=True)


if __name__ == "__main__":
    main()
