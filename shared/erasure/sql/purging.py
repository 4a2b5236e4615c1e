"""Physical purge: rewrite the tables that held content, and mark the forgets that are physically gone."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import DDL, Connection, MetaData, Table, text

from shared.consent.sql.tables import user_settings
from shared.kernel import items
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import LostRace, SubjectBusy, translated_errors
from shared.kernel.tables import debug_records, idempotency_keys, subjects

TYPE: Final = "cleanup_purge"
SCOPE: Final = "installation"

OTHER_TABLES: Final = (subjects, user_settings, idempotency_keys, debug_records)
"""Tables with content or names besides those of item kinds. Events contain neither, except a project's id, and may be
many."""

WORDLESS: Final = frozenset({"withheld", "memory_uses"})
"""Dependent tables of items that hold numbers and times only."""


def tables() -> tuple[str, ...]:
    """Return the names of the tables that hold content or names; the migration grants MAINTAIN on them."""
    return tuple(table.name for table in _tables())


def _tables() -> tuple[Table, ...]:
    found: list[Table] = []
    for kind in items.kinds():
        found += [key.table for key in kind.contents if key.table.name not in WORDLESS]
        found += kind.holds_words
    return (*dict.fromkeys(found), *OTHER_TABLES)


LOCK_WAIT_SECONDS: Final = 0.5
"""Every other session waits behind VACUUM FULL while it waits for its lock."""
LOCK_TRIES: Final = 6
LOCK_PAUSE_SECONDS: Final = 1.0
"""Before a table that was in use is tried again: sessions that waited behind the last try run first."""
REST_SECONDS: Final = 2.0
"""Longest rest after a table or partition was rewritten."""

READERS_WAIT_SECONDS: Final = 12.0
"""Longer than the product's own transactions may last."""


class PurgeBusy(Exception):
    """A table is in use, or an older transaction can still see deleted rows; retry the purge later."""

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(f"in use: {', '.join(tables)}")
        self.tables = tuple(tables)


class NotRewritten(Exception):
    """PostgreSQL skipped a table; it only warns if MAINTAIN is missing."""


def rewrite_tables(database: Database, *, readers_wait: float = READERS_WAIT_SECONDS) -> int:
    """Rewrite the tables and partitions that may hold bytes of rows erased before this call; return their number.

    Plain VACUUM leaves the bytes of deleted rows in the files. VACUUM FULL keeps only rows that an older transaction
    can still see, so this waits for such transactions first. Of tables that are partitioned by person, the partitions
    of people whose forgets are not purged yet are rewritten. One table or partition is locked at a time.

    Raises:
        PurgeBusy: an older transaction is still open, or a lock was not available; all others were rewritten.
        NotRewritten: the role may not rewrite a table.
        DatabaseUnavailable: PostgreSQL cannot be reached.
    """
    with _without_time_limits(database) as session:
        _wait_for_older_transactions(session, readers_wait)
        due = busy = list(session.execute(_DUE, {"tables": list(tables()), "scope": SCOPE}).scalars())
        for attempt in range(LOCK_TRIES):
            time.sleep(LOCK_PAUSE_SECONDS if attempt else 0)
            busy = [name for name in busy if not _rewrite(session, name)]
            if not busy:
                return len(due)
    raise PurgeBusy(busy)


_DUE: Final = text(
    """
    select c.relname::text from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and (c.relname = any(:tables) or i.inhparent = any(cast(:tables as regclass[])) and exists (
        select from operations o
        -- Also forgets in progress: one that is verified now, but not committed, may be marked as purged by this purge.
        where (o.erased_at is not null and o.purged_at is null or o.status in ('pending', 'running'))
          and o.scope <> :scope and satisfies_hash_partition(i.inhparent,
                substring(pg_get_expr(c.relpartbound, c.oid) from 'modulus (\\d+)')::integer,
                substring(pg_get_expr(c.relpartbound, c.oid) from 'remainder (\\d+)')::integer, o.subject_id)))
    order by 1
    """
)


def kept(tx: Transaction, keys: Sequence[UUID]) -> set[UUID]:
    """Return which of the store keys belong to a write that was announced and not given up."""
    rows = tx.rows(
        "select pk from vector_refs where pk = any(:keys) and state in ('intended', 'written')", keys=list(keys)
    )
    return {row["pk"] for row in rows}


def is_due(tx: Transaction) -> bool:
    """Return whether something was forgotten since the last purge and no purge is in progress."""
    due: bool = tx.value(
        """
        select exists (select from operations where erased_at is not null and purged_at is null and scope <> :scope)
          and not exists (select from operations where type = :type and status in ('pending', 'running', 'failed'))
        """,
        scope=SCOPE,
        type=TYPE,
    )
    return due


def hold(tx: Transaction, operation_id: UUID) -> None:
    """Serialise the closing of one purge's steps, so that the last one sees the others."""
    tx.value("select id from operations where id = :id for update", id=operation_id)


def note_start(tx: Transaction, step_id: int, started_at: datetime) -> None:
    """Record when the successful attempt began, instead of the first attempt."""
    tx.run("update operation_steps set started_at = :at where id = :id", id=step_id, at=started_at)


def mark_purged(tx: Transaction, operation_id: UUID) -> int:
    """Mark forgets verified before any step of this purge began as physically gone; return how many."""
    return tx.run(
        """
        update operations set purged_at = clock_timestamp(), version = version + 1, updated_at = now()
        where purged_at is null and scope <> :scope
          and erased_at < (select min(started_at) from operation_steps where operation_id = :id)
        """,
        id=operation_id,
        scope=SCOPE,
    )


@contextmanager
def _without_time_limits(database: Database) -> Iterator[Connection]:
    """Open an autocommit session without time limits; the limits are reset before the pool gets it back."""
    with translated_errors(), database.engine.connect() as connection:
        session = connection.execution_options(isolation_level="AUTOCOMMIT")
        usual = {name: session.execute(_LIMIT, {"name": name}).scalar_one() for name in _LIMITS}
        try:
            for name, value in _LIMITS.items():
                session.execute(_SET_LIMIT, {"name": name, "value": value})
            yield session
        finally:
            if not connection.invalidated:
                for name, value in usual.items():
                    session.execute(_SET_LIMIT, {"name": name, "value": value})


_LIMITS: Final = {"transaction_timeout": "0", "statement_timeout": "0", "lock_timeout": f"{LOCK_WAIT_SECONDS}s"}
_LIMIT: Final = text("select current_setting(:name)")
_SET_LIMIT: Final = text("select set_config(:name, :value, false)")


def _wait_for_older_transactions(session: Connection, seconds: float) -> None:
    """Wait until no transaction can see rows deleted before this call, because VACUUM keeps visible rows."""
    horizon = session.execute(text("select pg_snapshot_xmax(pg_current_snapshot())::xid::text")).scalar()
    deadline = time.monotonic() + seconds
    while session.execute(text(_SOMEBODY_SEES), {"horizon": horizon}).scalar():
        if time.monotonic() > deadline:
            raise PurgeBusy(tables())
        time.sleep(0.1)


_SOMEBODY_SEES = """
    select exists (
      select from (
        select backend_xid, backend_xmin from pg_stat_activity
        where pid <> pg_backend_pid() and (datname = current_database() or datname is null)
        union all select transaction, null from pg_prepared_xacts where database = current_database()
        union all select xmin, null from pg_replication_slots
      ) as held(xid, xmin)
      where greatest(age(xid), age(xmin)) > age(cast(:horizon as xid))
    )
"""


_REWRITE: Final = DDL("vacuum (full, skip_database_stats) %(fullname)s")  # type: ignore[no-untyped-call]


def _rewrite(session: Connection, name: str) -> bool:
    """Rewrite a table or partition; return False if its lock was not available.

    Then rest as long as it took: requests that waited finish before the next table that they need is locked.
    """
    file_before, began = _file(session, name), time.monotonic()
    try:
        with translated_errors():
            session.execute(_REWRITE.against(Table(name, MetaData())))
    except (SubjectBusy, LostRace):  # `translated_errors` raises these for a lock timeout and a deadlock
        return False
    if _file(session, name) == file_before:
        raise NotRewritten(name)
    time.sleep(min(time.monotonic() - began, REST_SECONDS))
    return True


def _file(session: Connection, name: str) -> int:
    number: int = session.execute(
        text("select pg_relation_filenode(cast(:name as regclass))"), {"name": name}
    ).scalar_one()
    return number
