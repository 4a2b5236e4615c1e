"""Locks PostgreSQL keeps for us: the fence of a person, and the one writer of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

from sqlalchemy import Connection, text

from shared.kernel.database import Database, SubjectBusy, Transaction, translated_errors

FENCE_WAIT_SECONDS = 3
COLLECTION_WAIT_SECONDS = 8


class CollectionBusy(Exception):
    """Somebody else has been changing this collection for too long; ask again in a moment."""


def enter_fence(tx: Transaction, subject_id: UUID) -> None:
    """Join the writers of this person until the transaction ends; accepted forgets wait for us, we for them.

    Raises:
        SubjectBusy: a forget did not let us in within 3 s.
    """
    _take_fence(tx, subject_id, "pg_advisory_xact_lock_shared")


def close_fence(tx: Transaction, subject_id: UUID) -> None:
    """Keep every writer of this person out until the transaction ends.

    Raises:
        SubjectBusy: writers did not leave within 3 s.
    """
    _take_fence(tx, subject_id, "pg_advisory_xact_lock")


def _take_fence(tx: Transaction, subject_id: UUID, lock: str) -> None:
    # One statement, because every write waits for it; each part needs a row of the one before, which orders them.
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
    """Let others who ask for the same name wait until this transaction ends; take it before the fence."""
    tx.value("select pg_advisory_xact_lock(hashtextextended(:name, 3))", name="\x1f".join(name))


def collection_lock(database: Database, *, exclusive: bool) -> Callable[[str], AbstractContextManager[None]]:
    """Return what a store takes around each change of a collection.

    Milvus Lite loses rows with two writers, so there the lock is exclusive; a server needs it only
    against purges, so there it is shared. Who does not get it within 8 s is told `CollectionBusy`.
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
    except SubjectBusy:  # what `translated_errors` makes of a lock not had in time
        raise CollectionBusy from None
