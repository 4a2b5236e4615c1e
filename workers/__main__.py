"""One worker process: Celery threads over all queues but `quarantine`, or those named in MEMORY_CENTER_QUEUES.

Who serves `quarantine` and nothing else does one row at a time, so that a row that ends its process ends no other's
work, and opens a store only when a row needs it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from celery import signals

from shared.domain.work import QUARANTINE, QUEUES
from shared.persistence.database import DatabaseUnavailable
from shared.runtime import logging, telemetry
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.celery_app import use_broker
from workers.eraser import tasks as _eraser
from workers.exporter import tasks as _exporter
from workers.importer import tasks as _importer
from workers.indexer import tasks as _indexer
from workers.learner import tasks as _learner
from workers.ledger import tasks as _ledger
from workers.process import Process, install, process
from workers.sweeper import tasks as _sweeper

TASKS = (_eraser, _exporter, _importer, _indexer, _learner, _ledger, _sweeper)


@signals.worker_ready.connect  # type: ignore[untyped-decorator]  # celery has no types
def say_ready(**_: object) -> None:
    """Say ready once wake-ups are received."""
    announce_ready()


def warm_up_meanwhile(**_: object) -> None:
    """Open the stores while the first wake-ups are received: without them PostgreSQL is erased still."""
    threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


def warm_up() -> None:
    """Open what the first rows would otherwise wait for."""
    with contextlib.suppress(StoreUnavailable, StoreMisconfigured, DatabaseUnavailable):
        _ = process().episodes, process().mem0, process().extractor


def main() -> int:
    configuration = settings()
    queues = os.environ.get("MEMORY_CENTER_QUEUES", ",".join(sorted(set(QUEUES.values()))))
    name = QUARANTINE if queues == QUARANTINE else "worker"
    logging.configure(configuration.log_level, name)
    telemetry.serve_metrics_if_wanted(configuration)
    install(Process(configuration, application=f"memory-center {name}"))
    if name != QUARANTINE:
        signals.worker_ready.connect(warm_up_meanwhile)
    worker = use_broker(configuration).Worker(
        quiet=True,
        pool="threads",
        concurrency=1 if name == QUARANTINE else configuration.worker_threads,
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
