"""One database and one running product for one test after another; between them both are made as new.

Cloning a database, opening the product and connecting to it takes longer than most tests do. What cannot be made as
new is thrown away, and the next test gets another one: after a test that failed, one that changed more than rows, or
one that left a part of the product unhealthy.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, LiteralString

import psycopg
from psycopg import sql

from tests.support.backing import TEMPLATE, Backing
from tests.support.workbench import Workbench, test_settings, workbench
from workers import process as worker_process
from workers.leases import LeasedWork

LONG: Final = 8 * 8192
"""Bytes of a table that is truncated; rows of a shorter one are deleted, which is quicker."""
WAITED_MS: Final = 2_000
"""For a lock a test left behind."""

# All that makes a database but rows: what a test changed of it, nobody undoes.
SHAPE: Final[LiteralString] = """
select md5(string_agg(line, ' ' order by line)) from (
  select concat('c', relname, relkind, relacl, reloptions, relowner, relrowsecurity) as line
    from pg_class where relnamespace = 'public'::regnamespace and not relispartition
  union all
  select concat('a', attrelid::regclass, attname, atttypid, attnotnull, attisdropped, attacl, attoptions)
    from pg_attribute join pg_class c on c.oid = attrelid
    where relnamespace = 'public'::regnamespace and not relispartition
  union all
  select concat('p', proname, prosrc, proacl) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select concat('t', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
  union all
  select concat('k', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where conparentid = 0
  union all
  select concat('i', indexrelid::regclass, indisvalid) from pg_index
  union all
  select concat('d', datallowconn, datconnlimit, datacl) from pg_database where datname = current_database()
  union all
  select concat('s', setrole, setconfig) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where datname = current_database()
) as lines
"""
TABLES: Final[LiteralString] = """
select relname, coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(c.oid)), pg_relation_size(c.oid))
from pg_class c
where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by relname
"""
LEFT_OPEN: Final[LiteralString] = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
  and not (%s and application_name ~ '^(memory-center|test worker)')
"""


@dataclass
class Recycled:
    """What the tests of one process use in turn.

    Args:
        backing: the servers.
    """

    backing: Backing
    _database: ExitStack = field(default_factory=ExitStack)
    _product: ExitStack = field(default_factory=ExitStack)
    _url: str | None = None
    _connection: psycopg.Connection | None = None
    _bench: Workbench | None = None
    _shape: str = ""
    _rows: Mapping[str, bytes] = field(default_factory=dict)
    _installed: list[tuple[worker_process.Process, LeasedWork]] = field(default_factory=list)

    def url(self) -> str:
        """Return the URL of a database that is as new."""
        if self._url is None:
            self._url = self._database.enter_context(self.backing.cloned_database())
            # One connection for all tests: a new one has to learn the tables again, which takes longer than the rest.
            self._connection = self._database.enter_context(psycopg.connect(self._url, autocommit=True))
            self._shape = _shape(self._connection)
        return self._url

    def bench(self) -> Workbench:
        """Return the product on that database, with the settings tests usually have."""
        if self._bench is None:
            self._bench = self._product.enter_context(workbench(test_settings(self.backing, self.url())))
            self._installed = list(worker_process._installed)
        worker_process._installed[:] = self._installed  # a test may have installed its own
        return self._bench

    def close_product(self) -> None:
        """End the product: a test opens one of its own on the database."""
        if self._bench is not None:
            worker_process._installed[:] = self._installed
            self._product.close()
            self._bench = None

    def close(self) -> None:
        """Throw both away."""
        self.close_product()
        self._database.close()
        self._url = self._connection = None

    def renew(self) -> None:
        """Make both as new, or throw away what cannot be."""
        if self._connection is None:
            return
        try:
            if self._bench is not None:
                shutil.rmtree(self._bench.settings.files_dir, ignore_errors=True)
            fresh = self._wiped(self._connection) and self._is_well()
        except psycopg.Error:
            fresh = False
        if not fresh:
            self.close()

    def _wiped(self, connection: psycopg.Connection) -> bool:
        if _shape(connection) != self._shape:
            return False
        template = self._template_rows()
        with connection.transaction():
            connection.execute(LEFT_OPEN, [self._bench is not None])
            connection.execute(sql.SQL("set local lock_timeout = {}").format(WAITED_MS))
            connection.execute("set local session_replication_role = replica")
            written = [(sql.Identifier(name), size) for name, size in connection.execute(TABLES) if size]
            emptied = [
                sql.SQL("truncate {} cascade" if size > LONG else "delete from {}").format(name)
                for name, size in written
            ]
            if emptied:
                connection.execute(sql.SQL(";").join(emptied))
            for table, rows in template.items():
                copying = sql.SQL("copy {} from stdin (format binary)").format(sql.Identifier(table))
                with connection.cursor().copy(copying) as copy:
                    copy.write(rows)
        return True

    def _is_well(self) -> bool:
        if self._bench is None:
            return True
        process = self._bench.process
        replaced = any(type(part).__module__.startswith("tests.") for part in vars(process).values())
        if replaced or process.breaker.is_open:
            return False
        # One that looked while the file was gone and the rows were not yet would speak of damage for a second more.
        for watch in (process.restore_watch, self._bench.api.app.state.restore_watch):  # type: ignore[attr-defined]
            watch.validate()
        return self._bench.api.get("/readyz").json()["status"] == "ready"

    def _template_rows(self) -> Mapping[str, bytes]:
        """Return what a new database holds, by table, in PostgreSQL's binary format."""
        if not self._rows:
            found: dict[str, bytes] = {}
            with psycopg.connect(self.backing.url(TEMPLATE)) as connection:
                for table, _ in connection.execute(TABLES).fetchall():
                    reading = sql.SQL("copy (table {}) to stdout (format binary)").format(sql.Identifier(table))
                    with connection.cursor().copy(reading) as copy:
                        found[table] = b"".join(bytes(part) for part in copy)
            empty = min(map(len, found.values()))
            self._rows = {table: rows for table, rows in found.items() if len(rows) > empty}
        return self._rows


def _shape(connection: psycopg.Connection) -> str:
    row = connection.execute(SHAPE).fetchone()
    assert row is not None
    return str(row[0])
