"""Alembic, without its ini file: the URL comes from the caller."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import OperationalError

DIRECTORY = Path(__file__).parent


def configuration(url: str) -> Config:
    """Return an Alembic configuration for `url` (postgresql://…)."""
    config = Config()
    config.set_main_option("script_location", str(DIRECTORY))
    config.attributes["url"] = url
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to `revision` while others use it; does nothing when it is already there.

    Raises:
        sqlalchemy.exc.OperationalError: a table was in use all the time; the migrations before that one are done.
        UnknownRevisionError: a newer version made the schema, or one so old that its migrations are gone.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            command.upgrade(configuration(url), revision)
            break
        except CommandError as failed:
            raise UnknownRevisionError(str(failed)) from None
        except OperationalError as failed:
            if not isinstance(failed.orig, IN_USE) or time.monotonic() > until:
                raise
            # While a migration waits for a table, everybody else's statements on it queue behind: they get a pause. The
            # next try goes on after the last migration that was done.
            time.sleep(PAUSE_SECONDS)
    _guard_rows(url)


class UnknownRevisionError(Exception):
    """No migration leads from the database's revision."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}: another version of Memory Center made this database; upgrade it with that one first")


IN_USE: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
PAUSE_SECONDS: Final = 2
PATIENCE_SECONDS: Final = 120
"""For how long tables in use are tried again, while others write to them."""


def _guard_rows(url: str) -> None:
    """Put policies on new tables and on those a restored backup left without, locking one table at a time.

    Raises:
        psycopg.errors.LockNotAvailable: a table was in use all the time; the tables before it keep their policies.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(hashtextextended('memory-center.migrations', 0))")
        connection.execute("set lock_timeout = '1s'")
        if connection.execute("select to_regprocedure('unguarded()')").fetchone() == (None,):
            return
        until = time.monotonic() + PATIENCE_SECONDS
        while left := connection.execute("select name::text from unguarded() as name").fetchall():
            for (name,) in left:
                try:
                    connection.execute("select guard(cast(%s as regclass))", [name])
                except IN_USE:
                    if time.monotonic() > until:
                        raise
            time.sleep(0.1)  # tables in use get free


def downgrade(url: str, revision: str = "base") -> None:
    """Take the database back to `revision`, losing what newer schemas hold."""
    command.downgrade(configuration(url), revision)
