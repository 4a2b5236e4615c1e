"""Periodic jobs. Work that takes long is queued for a worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

from shared.erasure.discard_vectors import queue_abandoned
from shared.erasure.purge import queue_purge
from shared.erasure.reconcile import queue_forgotten, queue_next_slice
from shared.kernel import idempotency_keys
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable
from shared.portability.revoke import revoke_expired_exports, revoke_expired_imports
from shared.recall.sql import traces
from shared.runtime.databases import database_of
from shared.runtime.package_files import package_files
from shared.runtime.restore_watch import NotServing
from shared.runtime.settings import Settings
from workers.file_store import file_store
from workers.rounds import ROUND_SECONDS, Every, Part, run_round
from workers.scheduler.contexts import EXPIRE_SECONDS, SCAN_SECONDS, expire, scan_reopened
from workers.scheduler.memories import ARCHIVE_SECONDS, CONSOLIDATE_SECONDS, archive, consolidate
from workers.scheduler.orphan_files import remove_orphan_files
from workers.scheduler.reflecting import REFLECT_SECONDS, queue_daily_reflections
from workers.scheduler.sessions import SESSIONS_SECONDS, end_idle

RECONCILE_SECONDS = 3600.0
FORGOTTEN_SECONDS = 60.0


class PeriodicJobs:
    """Runs the parts of a round in its own thread, over its own connections: a hanging part delays no publishing.

    Args:
        parts: opens what the parts need and returns them by name; called again each round until it succeeds.
        may_work: raises `NotServing` or `DatabaseUnavailable` while nothing may be done; then the round is left out.
    """

    def __init__(self, parts: Callable[[], dict[str, Part]], *, may_work: Callable[[], None] = lambda: None) -> None:
        self._open = parts
        self._may_work = may_work
        self._parts: dict[str, Part] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._forever, name="periodic", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, *, patience: float) -> None:
        """Start no further round and wait `patience` seconds for the current one; unfinished work is repeated later."""
        self._stopping.set()
        self._thread.join(patience)

    def _forever(self) -> None:
        while not self._stopping.wait(ROUND_SECONDS):
            try:
                self._may_work()
            except (NotServing, DatabaseUnavailable):
                continue
            if not self._parts:
                run_round({"open": self._opened})
            run_round(self._parts)

    def _opened(self) -> None:
        self._parts = self._open()


def parts_of(configuration: Settings, database: Database) -> dict[str, Part]:
    """Return the parts of a round, by name."""
    kept = configuration.retention
    packages, files = package_files(configuration), file_store(configuration)
    purge_seconds = kept.erased.purged_every.total_seconds()
    return {
        "abandoned": lambda: database.transact(queue_abandoned),
        "idempotency_keys": lambda: database.transact(lambda tx: idempotency_keys.expire(tx, kept.requests.answers)),
        "traces": lambda: database.transact(lambda tx: traces.expire(tx, kept.requests.records)),
        "exports": lambda: database.transact(revoke_expired_exports),
        "imports": lambda: database.transact(lambda tx: revoke_expired_imports(tx, kept.imports.kept)),
        "orphan_files": Every(
            database, "orphan_files", RECONCILE_SECONDS, lambda: remove_orphan_files(database, packages, files)
        ),
        "reconcile": Every(
            database, "reconcile", RECONCILE_SECONDS, lambda: int(bool(database.transact(queue_next_slice)))
        ),
        "forgotten": Every(database, "forgotten", FORGOTTEN_SECONDS, lambda: database.transact(queue_forgotten)),
        "consolidate": Every(database, "consolidate", CONSOLIDATE_SECONDS, lambda: consolidate(database)),
        "reflect": Every(database, "reflect", REFLECT_SECONDS, lambda: queue_daily_reflections(database)),
        "expire_contexts": Every(database, "expire_contexts", EXPIRE_SECONDS, lambda: expire(database)),
        "drift": Every(
            database, "drift", SCAN_SECONDS, lambda: scan_reopened(database, kept.drift_policy, configuration.terms)
        ),
        "sessions": Every(
            database,
            "sessions",
            SESSIONS_SECONDS,
            lambda: end_idle(database, timedelta(seconds=configuration.session_idle_seconds)),
        ),
        "archive": Every(database, "archive", ARCHIVE_SECONDS, lambda: archive(database, kept.archiving)),
        "purge": Every(database, "purge", purge_seconds, lambda: int(bool(database.transact(queue_purge)))),
    }


def own_parts(configuration: Settings, validate: Callable[[], None] | None = None) -> dict[str, Part]:
    """Return the parts of a round with their own connections, which stay open as long as the process.

    Args:
        validate: as for `Database`.
    """
    # Queued work sends no notification: the publisher looks every half second anyway.
    database = database_of(configuration, application="memory-center periodic", pool_size=2, validate=validate)
    return parts_of(configuration, database)
