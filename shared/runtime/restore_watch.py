"""Detects a restored database, so that nothing forgotten is served from it (P4), and hosts without one ledger."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Hashable
from typing import Final

import structlog

from shared.kernel import hosts
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import DatabaseUnavailable
from shared.kernel.hosts import Host
from shared.ledger.book import Book, LedgerUnavailable
from shared.ledger.rules import Head
from shared.ledger.sql import entries as ledger
from shared.ledger.sql.entries import Damage
from shared.runtime import telemetry

log = structlog.get_logger()

EXAMINE_SHARE: Final = 50
"""The ledger is read as a whole at most a fiftieth of the time."""


class NotServing(Exception):
    """Nothing may be served or worked on; each subclass says why, by its `code`."""

    code = "not_serving"


class ReplayNeeded(NotServing):
    """A backup was restored, so forgotten data would be served again. `memory-center replay` repairs it."""

    code = "replay_needed"


class LedgerMissing(NotServing):
    """The ledger outside the database is gone, so a restored backup could not be told from the newest state."""

    code = "ledger_missing"


class LedgerUnread(NotServing):
    """The ledger could not be read since this process started or lost its connection: it may be a restored backup."""

    code = "ledger_unavailable"


class LedgerNotShared(NotServing):
    """Several hosts work on this database, and each has a ledger of its own."""

    code = "ledger_not_shared"


class PackagesNotShared(NotServing):
    """Several hosts work on this database, and a package on one cannot be had or erased by another."""

    code = "packages_not_shared"


class VectorsNotShared(NotServing):
    """Several hosts work on this database, and what is in the Milvus of one is searched and erased there only."""

    code = "vectors_not_shared"


_NOT_SHARED: Final[dict[hosts.Unshared, type[NotServing]]] = {
    "ledger": LedgerNotShared,
    "packages": PackagesNotShared,
    "vectors": VectorsNotShared,
}


class RestoreWatch:
    """Compares the ledger's book with the database: at once, then at intervals, and for every new connection.

    Reads only what is new since the last comparison. If the book cannot be read, the last result holds, but none from
    before a lost connection. A detected restore stays in effect until the book proves otherwise. A changed ledger does
    not stop work; `damage` says what is wrong while it lasts.

    Args:
        database_url: the database of the ledger.
        book: the ledger outside the database.
        host: noted as living; None for tests of the book alone.
        start_empty: whether to go on without a book although the database has entries; the next forget writes it anew.
    """

    def __init__(self, database_url: str, book: Book, *, host: Host | None = None, start_empty: bool = False) -> None:
        self._database = Database(database_url, application="memory-center restore watch", pool_size=1)
        self._book = book
        self._host = host
        self._start_empty = start_empty
        self._problem: Exception | None = DatabaseUnavailable()
        self._compared: tuple[Head, Hashable] | None = None
        self._found: NotServing | None = None
        self._ends_early = False
        self._examine_at = 0.0
        self._changed: Damage | None = None
        self.damage: Damage | None = None
        self._looking = threading.Lock()
        self._stop = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._watch, name="restore-watch", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str | None:
        """The code of what keeps this process from serving, other than a database that is away."""
        return self._problem.code if isinstance(self._problem, NotServing) else None

    def check(self) -> None:
        """Return if it was safe to serve and work at the last look; never waits.

        Raises:
            NotServing: the database was restored from a backup, or hosts do not share what they must.
            DatabaseUnavailable: the database has not been reachable since its last failure.
        """
        problem = self._problem  # the watch may end it meanwhile
        if problem is not None:
            raise type(problem)  # a new one: one instance would collect the frames of everybody who was refused

    def validate(self) -> None:
        """Query the database again, and return if a new connection is safe to use. Raises as `check`."""
        self._look()
        if isinstance(self._problem, DatabaseUnavailable):
            self._look()  # the watch's own connection was lost too; this one is new
        self.check()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        if (host := self._host) is not None:
            with contextlib.suppress(DatabaseUnavailable):
                self._database.transact(lambda tx: hosts.leave(tx, host))
        self._database.close()

    def _watch(self) -> None:
        while not self._stop.wait(self._book.look_seconds):
            try:
                self._look()
            except Exception:
                log.exception("restore_watch.failed")  # the watch must continue

    def _look(self) -> None:
        with self._looking:
            self._compare()

    def _compare(self) -> None:
        try:
            problem = self._database.transact(lambda tx: self._unshared(tx) or self._missing_or_restored(tx))
        except DatabaseUnavailable:
            self._problem, self._compared = DatabaseUnavailable(), None
            return
        self._tell_of_damage()
        if problem is not None and not isinstance(self._problem, type(problem)):
            log.error("restore_watch.not_serving", code=problem.code)
        self._problem = problem

    def _unshared(self, tx: Transaction) -> NotServing | None:
        if self._host is None:
            return None
        what = hosts.unshared([self._host, *hosts.note(tx, self._host)])
        return _NOT_SHARED[what]() if what else None

    def _missing_or_restored(self, tx: Transaction) -> NotServing | None:
        try:
            self._found = self._with_the_book(tx)
        except LedgerUnavailable:
            log.warning("restore_watch.ledger_unreadable")
            if self._compared is None and self._found is None:
                return LedgerUnread()
        return self._found

    def _with_the_book(self, tx: Transaction) -> NotServing | None:
        state = (ledger.head(tx), self._book.version())
        if state == self._compared:
            return self._found
        tx.take_time(elsewhere=True)  # what a backup lacks of a bucket
        found: NotServing | None = None
        if ledger.is_restored(tx, self._book) or (isinstance(self._found, ReplayNeeded) and not self._book.is_there()):
            found = ReplayNeeded()
        elif not self._start_empty and ledger.is_missing(tx, self._book):
            found = LedgerMissing()
        self._ends_early = ledger.lost_entries(tx, self._book)
        self._compared = state
        return found

    def _tell_of_damage(self) -> None:
        damage: Damage | None = "unreadable"
        with contextlib.suppress(LedgerUnavailable):
            self._book.version()  # raises while it cannot be read
            try:
                self._examine()
            except DatabaseUnavailable:
                return
            damage = self._changed or ("lost_entries" if self._ends_early else None)
        if damage != self.damage:
            if damage is None:
                log.info("ledger.whole_again")
            else:
                log.error("ledger.damaged", code=damage)
                telemetry.LEDGER_ALARMS.labels(damage).inc()
        self.damage = damage

    def _examine(self) -> None:
        """Read all of a file at intervals; of a bucket the end, which comparing reads, says enough."""
        every = self._book.examine_seconds
        if every is None or (began := time.monotonic()) < self._examine_at:
            return
        try:
            self._changed = self._database.transact(self._examined, patient=True)
        finally:  # also after a failure: what takes long and fails must not be all that is done
            took = time.monotonic() - began
            self._examine_at = time.monotonic() + max(every, took * EXAMINE_SHARE)

    def _examined(self, tx: Transaction) -> Damage | None:
        tx.take_time(elsewhere=True)  # a long file
        return ledger.damage(tx, self._book)
