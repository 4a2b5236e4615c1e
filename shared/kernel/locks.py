"""PostgreSQL advisory locks: the fence of a person, named locks, and the lock of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import SubjectBusy, translated_errors

LOCK_WAIT = "3s"
COLLECTION_WAIT_SECONDS = 8


class CollectionBusy(Exception):
    """Another process held the lock of this collection for too long. Retry shortly."""


_EXCLUSIVE: Final = """
  with patience as materialized (
    select set_config('lock_timeout', :patience, true)
  ), held as materialized (
    select pg_advisory_xact_lock(hashtextextended(:subject, 1)) from patience
  )
  select set_config('lock_timeout', '0', true), set_config('mc.subject', :subject, true),
         set_config('role', case when :bound then 'memory_center_requests' else current_setting('role') end, true)
  from held
"""
"""One statement, because every write waits for it. Each part reads from the one before, which fixes the order. From
then on the transaction acts for this person, and reaches only their rows."""
_SHARED: Final = """
  with patience as materialized (
    select set_config('lock_timeout', :patience, true)
  ), held as materialized (
    select pg_advisory_xact_lock_shared(hashtextextended(:subject, 1)) from patience
  )
  select set_config('lock_timeout', '0', true), set_config('mc.subject', :subject, true),
         set_config('role', 'memory_center_requests', true)
  from held
"""

_NAMED: Final = """
  with patience as materialized (
    select set_config('lock_timeout', :patience, true)
  ), held as materialized (
    select pg_advisory_xact_lock(hashtextextended(:name, 3)) from patience
  )
  select set_config('lock_timeout', '0', true) from held
"""


def enter_fence(tx: Transaction, subject_id: UUID) -> None:
    """Acquire the shared fence of a person until the transaction ends. Writers share it; `close_fence` excludes them.

    Raises:
        SubjectBusy: it could not be acquired within 3 s.
    """
    tx.value(_SHARED, subject=str(subject_id), patience=LOCK_WAIT)


def close_fence(tx: Transaction, subject_id: UUID, *, bound: bool = True) -> None:
    """Acquire the exclusive fence of a person until the transaction ends, blocking all writers.

    Args:
        bound: whether the transaction reaches only this person's rows from then on. An import does not, because it must
            see which ids other people's items have.

    Raises:
        SubjectBusy: it could not be acquired within 3 s.
    """
    tx.value(_EXCLUSIVE, subject=str(subject_id), patience=LOCK_WAIT, bound=bound)


def one_at_a_time(tx: Transaction, *name: str, patient: bool = False) -> None:
    """Acquire an exclusive lock by name until the transaction ends. Acquire it before the fence.

    Args:
        patient: wait as long as the transaction may take. Otherwise a few requests of one person, who wait for another
            one, could hold all connections.

    Raises:
        SubjectBusy: it could not be acquired within 3 s.
    """
    tx.value(_NAMED, name="\x1f".join(name), patience="0" if patient else LOCK_WAIT)


def collection_lock(database: Database, *, exclusive: bool) -> Callable[[str], AbstractContextManager[None]]:
    """Return a context manager factory that a store uses around each change of a collection.

    Milvus Lite loses rows with two writers, so its lock is exclusive. A Milvus server needs the lock only against
    purges, so there it is shared. The context manager raises `CollectionBusy` after waiting 8 s.
    """
    lock = "select pg_advisory_lock(hashtextextended(:name, 2))"
    if not exclusive:
        lock = "select pg_advisory_lock_shared(hashtextextended(:name, 2))"

    @contextmanager
    def hold(collection: str) -> Iterator[None]:
        with translated_errors(), database.engine.connect() as connection:
            session = connection.execution_options(isolation_level="AUTOCOMMIT")
            try:
                _take_collection(session, lock, collection)
                yield
            finally:
                if not connection.invalidated:
                    session.execute(text("select pg_advisory_unlock_all(), set_config('lock_timeout', '0', false)"))

    return hold


def _take_collection(session: Connection, lock: str, collection: str) -> None:
    try:
        with translated_errors():
            session.execute(text(f"set lock_timeout = '{COLLECTION_WAIT_SECONDS}s'"))
            session.execute(text(lock), {"name": f"memory-center.collection.{collection}"})
    except SubjectBusy:  # `translated_errors` raises this for a lock timeout
        raise CollectionBusy from None
