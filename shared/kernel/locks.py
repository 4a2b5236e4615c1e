"""PostgreSQL advisory locks: the fence of a person, named locks, and the lock of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

from sqlalchemy import Connection, text

from shared.kernel.database import Database, SubjectBusy, Transaction, translated_errors

FENCE_WAIT_SECONDS = 3
COLLECTION_WAIT_SECONDS = 8


class CollectionBusy(Exception):
    """Another process held the lock of this collection for too long. Retry shortly."""


def enter_fence(tx: Transaction, subject_id: UUID) -> None:
    """Acquire the shared fence of a person until the transaction ends. Writers share it; `close_fence` excludes them.

    Raises:
        SubjectBusy: it could not be acquired within 3 s.
    """
    _take_fence(tx, subject_id, "pg_advisory_xact_lock_shared")


def close_fence(tx: Transaction, subject_id: UUID) -> None:
    """Acquire the exclusive fence of a person until the transaction ends, blocking all writers.

    Raises:
        SubjectBusy: it could not be acquired within 3 s.
    """
    _take_fence(tx, subject_id, "pg_advisory_xact_lock")


def _take_fence(tx: Transaction, subject_id: UUID, lock: str) -> None:
    # One statement, because every write waits for it. Each part reads from the one before, which fixes the order.
    tx.value(
        f"""
        with patience as materialized (
          select set_config('lock_timeout', '{FENCE_WAIT_SECONDS}s', true)
        ), held as materialized (
          select {lock}(hashtextextended(:subject, 1)) from patience
        )
        select set_config('lock_timeout', '0', true) from held
        """,  # noqa: S608 # constants of this module
        subject=str(subject_id),
    )


def one_at_a_time(tx: Transaction, *name: str) -> None:
    """Acquire an exclusive lock by name until the transaction ends. Acquire it before the fence."""
    tx.value("select pg_advisory_xact_lock(hashtextextended(:name, 3))", name="\x1f".join(name))


def collection_lock(database: Database, *, exclusive: bool) -> Callable[[str], AbstractContextManager[None]]:
    """Return a context manager factory that a store uses around each change of a collection.

    Milvus Lite loses rows with two writers, so its lock is exclusive. A Milvus server needs the lock only against
    purges, so there it is shared. The context manager raises `CollectionBusy` after waiting 8 s.
    """
    suffix = "" if exclusive else "_shared"

    @contextmanager
    def hold(collection: str) -> Iterator[None]:
        with translated_errors(), database.engine.connect() as connection:
            session = connection.execution_options(isolation_level="AUTOCOMMIT")
            try:
                _take_collection(session, f"pg_advisory_lock{suffix}", collection)
                yield
            finally:
                if not connection.invalidated:
                    session.execute(text("select pg_advisory_unlock_all(), set_config('lock_timeout', '0', false)"))

    return hold


def _take_collection(session: Connection, lock: str, collection: str) -> None:
    try:
        with translated_errors():
            session.execute(text(f"set lock_timeout = '{COLLECTION_WAIT_SECONDS}s'"))
            session.execute(
                text(f"select {lock}(hashtextextended(:name, 2))"),
                {"name": f"memory-center.collection.{collection}"},
            )
    except SubjectBusy:  # `translated_errors` raises this for a lock timeout
        raise CollectionBusy from None
