"""One worker process: Celery threads over all queues, or those named in MEMORY_CENTER_QUEUES."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from celery import signals

from shared.domain.work import QUEUES
from shared.persistence.database import DatabaseUnavailable
from shared.runtime import logging, telemetry
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.celery_app import use_broker
from workers.eraser import tasks as _eraser
from workers.indexer import tasks as _indexer
from workers.learner import tasks as _learner
from workers.process import Process, install, process

TASKS = (_eraser, _indexer, _learner)


@signals.worker_ready.connect  # type: ignore[untyped-decorator]  # celery has no types
def say_ready(**_: object) -> None:
    """Say ready once wake-ups are received, and open the stores meanwhile: without them PostgreSQL is erased still."""
    announce_ready()
    threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


def warm_up() -> None:
    """Open what the first rows would otherwise wait for."""
    with contextlib.suppress(StoreUnavailable, StoreMisconfigured, DatabaseUnavailable):
        _ = process().episodes, process().mem0, process().extractor


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "worker")
    telemetry.serve_metrics_if_wanted(configuration)
    queues = os.environ.get("MEMORY_CENTER_QUEUES", ",".join(sorted(set(QUEUES.values()))))
    install(Process(configuration, application="memory-center worker"))
    worker = use_broker(configuration).Worker(
        quiet=True,
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
