"""Connections and transactions. Only the edge of a process opens one; everything else receives `tx`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine, TextClause, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from shared.kernel.stale_connections import replace_stale

T = TypeVar("T")

Role: TypeAlias = Literal["memory_center_app", "memory_center_recall"]
Row: TypeAlias = Mapping[str, Any]

SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION, LOCK_TIMEOUT = "40001", "40P01", "23505", "55P03"
ATTEMPTS = 6
STREAMED_AT_ONCE = 100
SNAPSHOT_IDLE_SECONDS = 60
"""A stopped process must not hold a snapshot, which keeps deleted rows, for ever."""


class DatabaseUnavailable(Exception):
    """PostgreSQL cannot be reached, is shutting down, is full, or has no free connection; ask again later."""

    code = "database_unavailable"


DatabaseFailed = DBAPIError
"""PostgreSQL refused a statement for a reason we do not expect; its text may quote values."""


class SubjectBusy(Exception):
    """The fence of this person could not be taken in time; ask again in a moment."""


class Transaction:
    """An open transaction. Statements are named SQL; rows leave `persistence` as typed values only."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.queued = False
        """Whether an outbox row was written: the scheduler is woken after the commit."""

    def rows(self, sql: str, **values: Any) -> Sequence[Row]:
        """Run a statement that returns rows."""
        return cast("Sequence[Row]", self._connection.execute(_statement(sql), values).mappings().all())

    def stream(self, sql: str, **values: Any) -> Iterator[Row]:
        """Run a statement and yield its rows, of which few are in memory at once."""
        found = self._connection.execute(_statement(sql), values, execution_options={"yield_per": STREAMED_AT_ONCE})
        with found:
            yield from cast("Iterator[Row]", found.mappings())

    def row(self, sql: str, **values: Any) -> Row | None:
        """Run a statement and return its first row, if any."""
        return cast("Row | None", self._connection.execute(_statement(sql), values).mappings().first())

    def value(self, sql: str, **values: Any) -> Any:
        """Run a statement and return the first column of its first row, or None."""
        return self._connection.execute(_statement(sql), values).scalar()

    def run(self, sql: str, **values: Any) -> int:
        """Run a statement for its effect; return how many rows it touched."""
        return self._connection.execute(_statement(sql), values).rowcount

    def now(self) -> datetime:
        """The database's clock at the start of this transaction: the only clock for ordering."""
        at: datetime = self.value("select now()")
        return at


class Database:
    """One process's pool of connections, all under one role and its time limits.

    Args:
        url: postgresql://user:password@host:port/name
        role: what the process may touch; the recall role sees visible rows only.
        application: shown in pg_stat_activity.
        pool_size: most connections at once.
        transaction_seconds: a longer transaction is ended by the server, so that a stopped process
            cannot hold the fence. None for exports, purges and the like.
        after_commit: called after a commit that queued outbox rows; must return at once.
        vet: called before the first statement over each new connection: PostgreSQL may have been restored from a
            backup while the one before was lost. What it raises ends the transaction.
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
        validate: Callable[[], None] | None = None,
    ) -> None:
        limits = [
            "-c idle_in_transaction_session_timeout=5s",
            # Rows are named by key. A plan kept from when a table was small would read all of it once it is large.
            "-c enable_seqscan=off",
        ]
        if role == "memory_center_recall":
            # Few statements, asked over and over: planning one takes as long as running it, values change no plan.
            limits.append("-c plan_cache_mode=force_generic_plan")
        if transaction_seconds is not None:
            limits.append(f"-c transaction_timeout={int(transaction_seconds * 1000)}")
        self.url = url
        self._after_commit = after_commit
        self._validate = validate
        self.engine: Engine = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"),
            # What only reads needs no BEGIN and no COMMIT: a statement sees what is committed when it starts anyway.
            isolation_level="AUTOCOMMIT" if role == "memory_center_recall" else None,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=3,
            pool_pre_ping=False,  # a round trip each time; see `replace_stale`
            pool_use_lifo=True,  # the fewest connections, each of which knows its statements
            hide_parameters=True,  # an error must not quote what a person wrote
            connect_args={
                "connect_timeout": 3,
                "application_name": application,
                "options": " ".join([f"-c role={role}", *limits]),
                "tcp_user_timeout": 10_000,
                "prepare_threshold": 0 if role == "memory_center_recall" else 5,
            },
        )
        replace_stale(self.engine)

    @contextmanager
    def begin(self, *, patient: bool = False) -> Iterator[Transaction]:
        """Open a transaction; it commits when the block ends and rolls back when it raises.

        Args:
            patient: whether it may take as long as it needs, and read large tables whole.

        Raises:
            DatabaseUnavailable: PostgreSQL is not there, or no connection is free.
        """
        with translated_errors():
            with self.engine.begin() as connection:
                self._see_to(connection)
                if patient:
                    _take_time(connection)
                    connection.execute(text("set local enable_seqscan = on"))
                tx = Transaction(connection)
                yield tx
            if tx.queued and self._after_commit is not None:
                self._after_commit()

    @contextmanager
    def snapshot(self) -> Iterator[Transaction]:
        """Open a transaction that reads one moment's state, changes nothing, and may take as long as it needs.

        It takes no fence: whoever acts on what it read must find out whether that still holds.

        Raises:
            DatabaseUnavailable: as `begin`.
        """
        with translated_errors(), self.engine.connect() as connection:
            self._see_to(connection)
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                _take_time(connection)
                yield Transaction(connection)

    def _see_to(self, connection: Connection) -> None:
        if self._validate is not None and not connection.info.get("vetted"):
            self._validate()
            connection.info["vetted"] = True

    def transact(self, work: Callable[[Transaction], T], *, patient: bool = False) -> T:
        """Run `work` in one transaction, again from its start when it lost a race.

        Races are serialization failures, deadlocks and two writers of one event stream.

        Args:
            patient: as `begin`.

        Raises:
            DatabaseUnavailable: as `begin`.
            SubjectBusy: the fence could not be taken in time.
        """
        for attempt in range(ATTEMPTS):
            try:
                with self.begin(patient=patient) as tx:
                    return work(tx)
            except LostRace:
                if attempt == ATTEMPTS - 1:
                    raise DatabaseUnavailable from None
                time.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311 # jitter, not a secret
        raise AssertionError

    def ping(self) -> None:
        """Raises DatabaseUnavailable when PostgreSQL does not answer."""
        with self.begin() as tx:
            tx.value("select 1")

    def close(self) -> None:
        self.engine.dispose()


def _take_time(connection: Connection) -> None:
    connection.execute(text("set local transaction_timeout = 0"))
    connection.execute(text(f"set local idle_in_transaction_session_timeout = '{SNAPSHOT_IDLE_SECONDS}s'"))


class LostRace(Exception):
    """Another transaction won; run this one again from its start."""


@lru_cache(maxsize=1_000)
def _statement(sql: str) -> TextClause:
    """Return a statement, parsed once: its text does not change, and parsing costs a tenth of running it."""
    return text(sql)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn driver errors into ours. The driver's text may quote values, so it is not chained."""
    try:
        yield
    except PoolTimeout:
        raise DatabaseUnavailable from None
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None)
        if state in (SERIALIZATION_FAILURE, DEADLOCK) or (state == UNIQUE_VIOLATION and _is_stream_race(error)):
            raise LostRace from None
        if state == LOCK_TIMEOUT:
            raise SubjectBusy from None
        if error.connection_invalidated or _means_unavailable(state, error):
            raise DatabaseUnavailable from None
        raise


def _is_stream_race(error: DBAPIError) -> bool:
    diagnostics = getattr(error.orig, "diag", None)
    return getattr(diagnostics, "constraint_name", None) in RACES


RACES = frozenset(
    {
        "events_stream_version_key",
        "subjects_user_id_key",
        "messages_conversation_id_client_key_key",
        "idempotency_keys_pkey",
        "user_settings_pkey",
    }
)
"""Unique constraints that only two simultaneous writers can violate: the loser looks again."""


def _means_unavailable(state: str | None, error: DBAPIError) -> bool:
    # 08 connection, 53 resources (disk full, too many connections), 57P shutdown, 25P0x our own time limits
    if state is None:
        return isinstance(error, OperationalError | InterfaceError)
    return state.startswith(("08", "53", "57P", "25P03", "25P04"))
