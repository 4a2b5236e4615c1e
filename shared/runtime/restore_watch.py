"""Nothing is served from a database older than what people were promised (P4)."""

from __future__ import annotations

import threading
from typing import Final

import structlog

from shared.persistence import ledger
from shared.persistence.database import Database, DatabaseUnavailable
from shared.persistence.ledger_file import LedgerFile, LedgerUnavailable

log = structlog.get_logger()

LOOK_SECONDS: Final = 1.0


class ReplayNeeded(Exception):
    """A backup was restored: what was forgotten since would be served again. `memory-center replay` mends it."""


class RestoreWatch:
    """Compares the ledger's file with the database: at once, then every second, and whenever somebody connects.

    Where the file cannot be read nothing can be told, and work goes on: the log says so. What was found to be restored
    stays so until the file proves the contrary.

    Args:
        database_url: whose ledger.
        book: the file outside the database.
    """

    def __init__(self, database_url: str, book: LedgerFile) -> None:
        self._database = Database(database_url, application="memory-center restore watch", pool_size=1)
        self._book = book
        self._problem: Exception | None = DatabaseUnavailable()
        self._restored = False
        self._looking = threading.Lock()
        self._stop = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._watch, name="restore-watch", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Return when it was safe to serve and to work a moment ago; never waits.

        Raises:
            ReplayNeeded: the database was restored from a backup.
            DatabaseUnavailable: it could not be asked since it was last away.
        """
        if self._problem is not None:
            raise self._problem

    def vet(self) -> None:
        """Return when it is safe to use a connection made just now: ask the database again. Raises as `check`."""
        self._look()
        if isinstance(self._problem, DatabaseUnavailable):
            self._look()  # the watch's own connection was lost as well; this one is new
        self.check()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._database.close()

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            try:
                self._look()
            except Exception:
                log.exception("restore_watch.failed")  # the watch must not end

    def _look(self) -> None:
        with self._looking:
            self._compare()

    def _compare(self) -> None:
        try:
            restored = self._database.transact(lambda tx: ledger.is_restored(tx, self._book))
        except DatabaseUnavailable:
            self._problem = DatabaseUnavailable()
            return
        except LedgerUnavailable:
            log.warning("restore_watch.ledger_unreadable")
            restored = False
        if restored and not self._restored:
            log.error("restore_watch.replay_needed")
        self._restored = restored or (self._restored and not self._book.is_there())
        self._problem = ReplayNeeded() if self._restored else None
