"""The sweeper process: what nobody waits for but must happen."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

import structlog

from shared.commands.discard_vectors import queue_abandoned
from shared.persistence import idempotency, traces
from shared.persistence.database import Database, DatabaseUnavailable, SubjectBusy
from shared.persistence.locks import CollectionBusy, collection_lock
from shared.persistence.wakeups import Notifier
from shared.runtime import logging, telemetry
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import Settings, settings
from shared.stores.flushing import Flusher
from shared.stores.port import StoreMisconfigured, StoreUnavailable

log = structlog.get_logger()

ROUND_SECONDS = 20.0
WAITS: Final = (DatabaseUnavailable, SubjectBusy, CollectionBusy, StoreUnavailable, StoreMisconfigured)
"""Errors that say what is in the way; any other is a defect."""


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "sweeper")
    telemetry.serve_metrics_if_wanted(configuration)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    notifier = Notifier(configuration.database_url.get_secret_value())
    database = Database(
        configuration.database_url.get_secret_value(),
        application="memory-center sweeper",
        pool_size=3,
        after_commit=notifier.wake,
    )
    flusher = _flusher(configuration, database)
    announce_ready()
    while not stop.wait(ROUND_SECONDS):
        sweep(database, flusher)
    database.close()
    return 0


def sweep(database: Database, flusher: Flusher | None) -> None:
    """One round; a part that cannot be done now is done in the next, and never keeps the others from being done."""
    parts: dict[str, Callable[[], int | None]] = {
        "abandoned": lambda: database.transact(queue_abandoned),
        "idempotency_keys": lambda: database.transact(idempotency.expire),
        "traces": lambda: database.transact(traces.expire),
    }
    if flusher is not None:
        parts["flush"] = flusher.flush
    for part, work in parts.items():
        try:
            if count := work():
                log.info("sweep.done", part=part, count=count)
        except WAITS as error:
            log.warning("sweep.postponed", part=part, **logging.failure(error))
        except Exception:
            log.exception("sweep.failed", part=part)  # the process goes on: nobody else sweeps


def _flusher(configuration: Settings, database: Database) -> Flusher | None:
    """Return what flushes Milvus Lite, where unflushed rows slow every search; a server does it by itself."""
    if configuration.milvus_flavour != "lite":
        return None
    return Flusher(configuration.milvus_uri, lock=collection_lock(database, exclusive=True))


if __name__ == "__main__":
    sys.exit(main())
