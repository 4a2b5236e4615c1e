"""The sweeper process: what nobody waits for but must happen. What takes long is queued for a worker."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import structlog

from shared.commands.discard_vectors import queue_abandoned
from shared.commands.purge import queue_purge
from shared.commands.reconcile import queue_reconcile
from shared.commands.withdraw_exports import withdraw_expired
from shared.commands.withdraw_imports import withdraw_expired_imports
from shared.persistence import idempotency, traces
from shared.persistence.database import Database, DatabaseUnavailable, SubjectBusy
from shared.persistence.locks import CollectionBusy, collection_lock
from shared.persistence.wakeups import Notifier
from shared.runtime import logging, telemetry
from shared.runtime.package_files import package_files
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import Settings, settings
from shared.stores.flushing import Flusher
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.file_store import file_store
from workers.sweeper.archiving import ARCHIVE_SECONDS, archive
from workers.sweeper.orphan_files import remove_orphan_files

log = structlog.get_logger()

ROUND_SECONDS = 20.0
RECONCILE_SECONDS = 3600.0
WAITS: Final = (DatabaseUnavailable, SubjectBusy, CollectionBusy, StoreUnavailable, StoreMisconfigured)
"""Errors that say what is in the way; any other is a defect."""

Part: TypeAlias = Callable[[], int | None]
"""A part of a round; returns how many things it did, if it counts them."""


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
    parts = parts_of(configuration, database)
    announce_ready()
    while not stop.wait(ROUND_SECONDS):
        sweep(parts)
    database.close()
    return 0


def parts_of(configuration: Settings, database: Database) -> dict[str, Part]:
    """Return what belongs to a round, by name."""
    kept = configuration.retention
    packages, files = package_files(configuration), file_store(configuration)
    purge_seconds = kept.erased.purged_every.total_seconds()
    parts: dict[str, Part] = {
        "abandoned": lambda: database.transact(queue_abandoned),
        "idempotency_keys": lambda: database.transact(lambda tx: idempotency.expire(tx, kept.requests.answers)),
        "traces": lambda: database.transact(lambda tx: traces.expire(tx, kept.requests.records)),
        "exports": lambda: database.transact(withdraw_expired),
        "imports": lambda: database.transact(lambda tx: withdraw_expired_imports(tx, kept.imports.kept)),
        "orphan_files": Every(RECONCILE_SECONDS, lambda: remove_orphan_files(database, packages, files)),
        "reconcile": Every(RECONCILE_SECONDS, lambda: int(bool(database.transact(queue_reconcile)))),
        "archive": Every(ARCHIVE_SECONDS, lambda: archive(database, kept.archiving)),
        "purge": Every(purge_seconds, lambda: int(bool(database.transact(queue_purge)))),
    }
    if configuration.milvus_flavour == "lite":
        # Unflushed rows slow every search there; a server flushes by itself.
        lock = collection_lock(database, exclusive=True)
        parts["flush"] = Flusher(configuration.milvus_uri, lock=lock).flush
    return parts


class Every:
    """A part that belongs to the first round, and to another one when its time has come; one that failed to the next.

    Args:
        seconds: from one time it was done to the next.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, seconds: float, work: Part, *, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._work = work
        self._now = now
        self._due_at: float | None = None

    def __call__(self) -> int | None:
        if self._due_at is not None and self._now() < self._due_at:
            return None
        done = self._work()
        self._due_at = self._now() + self._seconds
        return done


def sweep(parts: Mapping[str, Part]) -> None:
    """One round; a part that cannot be done now is done in the next, and never keeps the others from being done."""
    for part, work in parts.items():
        try:
            if count := work():
                log.info("sweep.done", part=part, count=count)
        except WAITS as error:
            log.warning("sweep.postponed", part=part, **logging.failure(error))
        except Exception:
            log.exception("sweep.failed", part=part)  # the process goes on: nobody else sweeps


if __name__ == "__main__":
    sys.exit(main())
