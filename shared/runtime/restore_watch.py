"""Detects a restored database, so that nothing forgotten is served from it (P4), and damage to the ledger."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Final

import structlog

from shared.kernel.database import Database, DatabaseUnavailable, Transaction
from shared.ledger import sql as ledger
from shared.ledger.file import LedgerFile, LedgerUnavailable
from shared.ledger.sql import Damage
from shared.runtime import telemetry

log = structlog.get_logger()

LOOK_SECONDS: Final = 1.0
EXAMINE_SECONDS: Final = 60.0
"""Minimum seconds between full checks of the ledger; at least `EXAMINE_SHARE` times the last check's duration."""
EXAMINE_SHARE: Final = 50


class ReplayNeeded(Exception):
    """A backup was restored, so forgotten data would be served again. `memory-center replay` repairs it."""


class RestoreWatch:
    """Compares the ledger file with the database: at once, then every second, and for every new connection.

    If the file cannot be read, work continues and a warning is logged. A detected restore stays in effect until the
    file proves otherwise. A changed or removed ledger does not stop work; `damage` says what is wrong while it lasts.

    Args:
        database_url: the database of the ledger.
        book: the ledger file outside the database.
    """

    def __init__(self, database_url: str, book: LedgerFile) -> None:
        self._database = Database(database_url, application="memory-center restore watch", pool_size=1)
        self._book = book
        self._problem: Exception | None = DatabaseUnavailable()
        self._restored = False
        self._examine_at = 0.0
        self._changed: Damage | None = None
        self.damage: Damage | None = None
        self._looking = threading.Lock()
        self._stop = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._watch, name="restore-watch", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Return if it was safe to serve and work at the last look; never waits.

        Raises:
            ReplayNeeded: the database was restored from a backup.
            DatabaseUnavailable: the database has not been reachable since its last failure.
        """
        if self._problem is not None:
            raise self._problem

    def validate(self) -> None:
        """Query the database again, and return if a new connection is safe to use. Raises as `check`."""
        self._look()
        if isinstance(self._problem, DatabaseUnavailable):
            self._look()  # the watch's own connection was lost too; this one is new
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
                log.exception("restore_watch.failed")  # the watch must continue

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
        self._tell_of_damage()
        if restored and not self._restored:
            log.error("restore_watch.replay_needed")
        self._restored = restored or (self._restored and not self._book.is_there())
        self._problem = ReplayNeeded() if self._restored else None

    def _tell_of_damage(self) -> None:
        damage: Damage | None = "unreadable"
        with contextlib.suppress(LedgerUnavailable):
            try:
                damage = self._database.transact(self._examined)
            except DatabaseUnavailable:
                return
        if damage != self.damage:
            if damage is None:
                log.info("ledger.whole_again")
            else:
                log.error("ledger.damaged", code=damage)
                telemetry.LEDGER_ALARMS.labels(damage).inc()
        self.damage = damage

    def _examined(self, tx: Transaction) -> Damage | None:
        """Return what is wrong with the ledger: its end is checked every time, all of it at intervals."""
        if (began := time.monotonic()) >= self._examine_at:
            self._changed = ledger.damage(tx, self._book)
            took = time.monotonic() - began
            self._examine_at = time.monotonic() + max(EXAMINE_SECONDS, took * EXAMINE_SHARE)
        return self._changed or ("lost_entries" if ledger.lost_entries(tx, self._book) else None)
