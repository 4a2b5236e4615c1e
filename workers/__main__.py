"""One worker process: Celery threads over all queues, or those named in MEMORY_CENTER_QUEUES."""

from __future__ import annotations

import os
import sys

from celery import signals

from shared.domain.work import QUEUES
from shared.runtime import logging
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from workers.celery_app import app
from workers.eraser import tasks as _eraser
from workers.indexer import tasks as _indexer
from workers.learner import tasks as _learner
from workers.process import process

TASKS = (_eraser, _indexer, _learner)


@signals.worker_ready.connect  # type: ignore[untyped-decorator]  # celery has no types
def warm_up(**_: object) -> None:
    """Open the stores before saying ready, so that the first row does not wait for them."""
    announce_ready()


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "worker")
    queues = os.environ.get("MEMORY_CENTER_QUEUES", ",".join(sorted(set(QUEUES.values()))))
    process().database.ping()
    worker = app.Worker(
        pool="threads",
        concurrency=configuration.worker_threads,
        queues=queues,
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        optimization="fair",
    )
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
