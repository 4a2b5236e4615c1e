"""Database connections and transactions. Process entry points open transactions; all other code receives `tx`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar, cast
from uuid import UUID

import psycopg
from sqlalchemy import Connection, Engine, Executable, create_engine, event, make_url, text

from shared.kernel.connection_limits import ConnectionLimits, Pooler, Role
from shared.kernel.database_errors import (
    DatabaseUnavailable,
    LostRace,
    translated_errors,
)
from shared.kernel.stale_connections import replace_stale

T = TypeVar("T")

Row: TypeAlias = Mapping[str, Any]
Statement: TypeAlias = str | Executable
"""SQL with named parameters, or the same built with SQLAlchemy Core, whose parameters are its `bindparam`s."""

ATTEMPTS = 6
STREAMED_AT_ONCE = 100


class Transaction:
    """An open transaction."""

    def __init__(self, connection: Connection, *, names_session: bool = False) -> None:
        self._connection = connection
        self._names_session = names_session
        self.queued = False
        """Whether an outbox row was written, so that the scheduler is notified after the commit."""

    def rows(self, statement: Statement, **values: Any) -> Sequence[Row]:
        """Run a statement that returns rows."""
        return cast("Sequence[Row]", self._connection.execute(_executable(statement), values).mappings().all())

    def stream(self, statement: Statement, **values: Any) -> Iterator[Row]:
        """Run a statement and yield its rows, fetching `STREAMED_AT_ONCE` at a time."""
        found = self._connection.execute(
            _executable(statement), values, execution_options={"yield_per": STREAMED_AT_ONCE}
        )
        with found:
            yield from cast("Iterator[Row]", found.mappings())

    def row(self, statement: Statement, **values: Any) -> Row | None:
        """Run a statement and return its first row, if any."""
        return cast("Row | None", self._connection.execute(_executable(statement), values).mappings().first())

    def value(self, statement: Statement, **values: Any) -> Any:
        """Run a statement and return the first column of its first row, or None."""
        return self._connection.execute(_executable(statement), values).scalar()

    def run(self, statement: Statement, **values: Any) -> int:
        """Run a statement and return the number of affected rows."""
        return self._connection.execute(_executable(statement), values).rowcount

    def run_many(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement once for each row of values, without waiting for each."""
        if rows:
            self._connection.execute(_executable(statement), rows)

    def act_for(self, find: str, **values: Any) -> Row | None:
        """Run a statement that finds a person's `id`, and act for this person from now on.

        Args:
            find: ends with `, set_config('mc.subject', id::text, :until_the_end)` in what it selects.
        """
        before = self._connection.info.get(_PERSON, "")
        self._connection.info[_PERSON] = None  # unknown, until the server has answered
        row = self.row(find, until_the_end=not self._names_session, **values)
        self._connection.info[_PERSON] = before if row is None else str(row["id"])
        return row

    def take_time(self, *, elsewhere: bool = False) -> None:
        """Lift the limits of this transaction: PostgreSQL would end one that computes long between two statements.

        Args:
            elsewhere: between two statements it waits for a disk or a bucket, for as long as that takes.
        """
        _take_time(self._connection)
        if elsewhere:
            self.run("set local idle_in_transaction_session_timeout = 0")

    def now(self) -> datetime:
        """Return the database clock at the start of this transaction. Only this clock may be used for ordering."""
        at: datetime = self.value("select now()")
        return at


class Database:
    """A connection pool for one process, with one role and its time limits.

    Args:
        url: postgresql://user:password@host:port/name
        role: determines access; searches can read visible rows only.
        application: shown in pg_stat_activity.
        pool_size: maximum number of connections.
        transaction_seconds: the server aborts longer transactions, so that a stopped process cannot hold the fence.
            None for exports, purges and other long work.
        after_commit: called after a commit that queued outbox rows; must return immediately.
        pooler: with `transaction`, each transaction takes on the role and the limits anew, and nothing is prepared.
            Without, each connection does so once, and one that leads to a pooler is refused: there they would be lost.
        validate: called before the first statement on each new connection, because PostgreSQL may have been restored
            from a backup while disconnected. An exception it raises aborts the transaction.
    """

    def __init__(
        self,
        url: str,
        *,
        role: Role = "memory_center_app",
        application: str = "memory-center",
        pool_size: int = 12,
        transaction_seconds: float | None = 10.0,
        after_commit: Callable[[], None] | None = None,
        pooler: Pooler = "none",
        validate: Callable[[], None] | None = None,
    ) -> None:
        self.role = role
        single_reads = role == "memory_center_searches" and pooler == "none"
        self._person: UUID | None = None
        self._names_sessions = single_reads
        self.url = url
        self._closed = False
        self._after_commit = after_commit
        self._validate = validate
        self.engine: Engine = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"),
            # A single read needs no BEGIN and COMMIT: a statement always sees what was committed when it started.
            isolation_level="AUTOCOMMIT" if single_reads else None,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=3,
            pool_pre_ping=False,  # it would cost a round trip per checkout; see `replace_stale`
            pool_use_lifo=True,  # keeps few connections in use, so that their prepared statements are reused
            hide_parameters=True,  # an error must not quote what a person wrote
            connect_args={
                "connect_timeout": 3,
                "application_name": application,
                "tcp_user_timeout": 10_000,
                "prepare_threshold": None if pooler == "transaction" else 0 if single_reads else 5,
            },
        )
        limits = ConnectionLimits(role, transaction_seconds)
        if pooler == "transaction":
            event.listen(self.engine, "begin", limits.set_for_transaction)
        else:
            event.listen(self.engine, "connect", limits.set_for_connection)
        replace_stale(self.engine)
        event.listen(self.engine, "checkin", self._end_if_closed)

    def of(self, subject_id: UUID) -> Database:
        """Return this database, with the same connections, for transactions that act for one person.

        They reach that person's rows and no other's: in the role `memory_center_app`, which reaches everybody, they
        take on the role of requests.
        """
        theirs = copy(self)
        theirs._person = subject_id  # noqa: SLF001 # of the same class
        return theirs

    @contextmanager
    def begin(self, *, patient: bool = False, names: bool = False) -> Iterator[Transaction]:
        """Open a transaction that commits when the block ends and rolls back if the block raises.

        Args:
            patient: disable the transaction timeout and allow sequential scans.
            names: its first statement says for whom it acts (`act_for`).

        Raises:
            DatabaseUnavailable: PostgreSQL is unreachable, or no connection is free.
        """
        with translated_errors():
            with self.engine.begin() as connection:
                self._see_to(connection)
                if not names:
                    self._name_person(connection)
                if patient:
                    _take_time(connection)
                    connection.execute(text("set local enable_seqscan = on"))
                tx = Transaction(connection, names_session=self._names_sessions)
                yield tx
            if tx.queued and self._after_commit is not None:
                self._after_commit()

    @contextmanager
    def snapshot(self) -> Iterator[Transaction]:
        """Open a read-only transaction on one snapshot, without a transaction timeout.

        It does not take the fence: a caller must check that what it read still holds before acting on it.

        Raises:
            DatabaseUnavailable: as `begin`.
        """
        with translated_errors(), self.engine.connect() as connection:
            self._see_to(connection)
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                self._name_person(connection)
                _take_time(connection)
                yield Transaction(connection)

    def _see_to(self, connection: Connection) -> None:
        if self._validate is not None and not connection.info.get("vetted"):
            self._validate()
            connection.info["vetted"] = True

    def _name_person(self, connection: Connection) -> None:
        """Say for whom a transaction acts; without transactions, for whom a connection does until the next use."""
        person = "" if self._person is None else str(self._person)
        before = connection.info.get(_PERSON, "") if self._names_sessions else ""
        if person == before:
            return
        connection.info[_PERSON] = None  # unknown, until the server has answered
        naming = _NAMING_BOUND if self.role == "memory_center_app" else _NAMING
        connection.execute(naming, {"person": person, "until_the_end": not self._names_sessions})
        connection.info[_PERSON] = person

    def transact(self, work: Callable[[Transaction], T], *, patient: bool = False, names: bool = False) -> T:
        """Run `work` in one transaction and retry the whole transaction if it loses a race.

        Races are serialization failures, deadlocks and violations of the constraints in `RACES`.

        Args:
            patient, names: as `begin`.

        Raises:
            DatabaseUnavailable: as `begin`, or every attempt lost a race.
            SubjectBusy: the fence could not be acquired in time.
        """
        for attempt in range(ATTEMPTS):
            try:
                with self.begin(patient=patient, names=names) as tx:
                    return work(tx)
            except LostRace:
                if attempt == ATTEMPTS - 1:
                    raise DatabaseUnavailable from None
                time.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311 # jitter, not a secret
        raise AssertionError

    def ping(self) -> None:
        """Check that PostgreSQL answers.

        Raises:
            DatabaseUnavailable: it does not.
        """
        with self.begin() as tx:
            tx.value("select 1")

    def close(self) -> None:
        """Close all connections; one that is in use, when it is returned."""
        self._closed = True
        self.engine.dispose()

    def _end_if_closed(self, connection: psycopg.Connection | None, _record: object) -> None:
        if self._closed and connection is not None:
            connection.close()


_NAMING = text("select set_config('mc.subject', :person, :until_the_end)")
_NAMING_BOUND = text(
    "select set_config('mc.subject', :person, :until_the_end), set_config('role', 'memory_center_requests', true)"
)
_PERSON = "acts for"
"""Note of a connection without transactions: the person it acts for."""


def _take_time(connection: Connection) -> None:
    connection.execute(text("set local transaction_timeout = 0"))
    # How long a stopped process can keep a snapshot open: a snapshot retains deleted rows.
    connection.execute(text("set local idle_in_transaction_session_timeout = '60s'"))


def _executable(statement: Statement) -> Executable:
    return _parsed(statement) if isinstance(statement, str) else statement


@lru_cache(maxsize=1_000)
def _parsed(sql: str) -> Executable:
    """Return a parsed statement, cached because parsing costs a tenth of running it."""
    return text(sql)
