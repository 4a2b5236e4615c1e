"""One worker process: Celery threads serving MEMORY_CENTER_QUEUES, by default every queue except `quarantine`.

Erasure runs in its own process, `eraser`, so that learning can neither delay nor crash it.

A `quarantine` worker does one row at a time, so a row that crashes the process affects no other work. It opens a store
only when a row needs one. The scheduler starts it; it exits when idle or when the scheduler is gone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from celery import signals

from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.job_kinds import ERASURE_QUEUES, QUARANTINE, QUEUES
from shared.runtime import logging, telemetry
from shared.runtime.databases import refuse_wrong_connections
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from shared.runtime.start_signal import wait_for_start
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.celery_app import use_broker
from workers.eraser import tasks as _eraser
from workers.exporter import tasks as _exporter
from workers.importer import tasks as _importer
from workers.indexer import tasks as _indexer
from workers.learner import tasks as _learner
from workers.ledger import tasks as _ledger
from workers.maintenance import tasks as _maintenance
from workers.maintenance.flushing import flush_forever
from workers.process import Process, install, leased_work, process
from workers.reflector import tasks as _reflector

TASKS = (_eraser, _exporter, _importer, _indexer, _learner, _ledger, _maintenance, _reflector)
IDLE_POLL_SECONDS: Final = 0.5


@signals.worker_ready.connect  # type: ignore[untyped-decorator]  # celery has no types
def say_ready(**_: object) -> None:
    """Report this process as ready once it receives messages."""
    announce_ready()


def warm_up(*, learns: bool) -> None:
    """Open the stores and the extractor in advance, so that the first rows do not wait for them."""
    with contextlib.suppress(StoreUnavailable, StoreMisconfigured, DatabaseUnavailable):
        _ = process().episodes, process().mem0
        if learns:
            _ = process().extractor


def end_when_idle(parent: int) -> None:
    """Stop this process once it is idle for long or its parent is gone; it still finishes its current row."""
    while leased_work().idle_seconds() < process().settings.quarantine_idle_seconds and os.getppid() == parent:
        time.sleep(IDLE_POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def meanwhile(name: str, queues: str, parent: int) -> None:
    """Start this worker's background threads, without waiting: PostgreSQL is erased even if stores are down."""
    if name == QUARANTINE:
        _begin("idle-watch", lambda: end_when_idle(parent))
        return
    _begin("warm-up", partial(warm_up, learns=name != "eraser"))
    if process().settings.milvus_flavour == "lite" and "maintenance" in queues.split(","):
        _begin("flush", lambda: flush_forever(process()))


def main() -> int:
    parent = os.getppid()
    configuration = settings()
    queues = os.environ.get("MEMORY_CENTER_QUEUES", ",".join(sorted(set(QUEUES.values()))))
    name = _name(set(queues.split(",")))
    logging.configure(configuration.log_level, name)
    telemetry.serve_metrics_if_wanted(configuration)
    wait_for_start()
    refuse_wrong_connections(configuration, f"memory-center {name}")
    install(Process(configuration, application=f"memory-center {name}"))
    signals.worker_ready.connect(lambda **_: meanwhile(name, queues, parent), weak=False)
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


def _name(queues: set[str]) -> str:
    """Return the name of this process in the logs."""
    if queues == {QUARANTINE}:
        return QUARANTINE
    return "eraser" if queues <= ERASURE_QUEUES else "worker"


def _begin(name: str, work: Callable[[], None]) -> None:
    threading.Thread(target=work, name=name, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
