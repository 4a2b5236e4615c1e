"""Locks PostgreSQL keeps for us: the fence of a person, and the one writer of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

from sqlalchemy import text

from shared.persistence.database import Database, Transaction, translated_errors

ACCEPT_WAIT_SECONDS = 3


def enter_fence(tx: Transaction, subject_id: UUID) -> None:
    """Join the writers of this person until the transaction ends; accepted forgets wait for us, we for them."""
    tx.value("select pg_advisory_xact_lock_shared(hashtextextended(:subject, 1))", subject=str(subject_id))


def close_fence(tx: Transaction, subject_id: UUID) -> None:
    """Keep every writer of this person out until the transaction ends.

    Raises:
        SubjectBusy: writers did not leave within 3 s.
    """
    tx.run(f"set local lock_timeout = '{ACCEPT_WAIT_SECONDS}s'")
    tx.value("select pg_advisory_xact_lock(hashtextextended(:subject, 1))", subject=str(subject_id))
    tx.run("set local lock_timeout = 0")


def one_at_a_time(tx: Transaction, *name: str) -> None:
    """Let others who ask for the same name wait until this transaction ends; take it before the fence."""
    tx.value("select pg_advisory_xact_lock(hashtextextended(:name, 3))", name="\x1f".join(name))


def collection_lock(database: Database, *, exclusive: bool) -> Callable[[str], AbstractContextManager[None]]:
    """Return what a store takes around each change of a collection.

    Milvus Lite loses rows with two writers, so there the lock is exclusive; a server needs it only
    against purges, so there it is shared.
    """
    suffix = "" if exclusive else "_shared"

    @contextmanager
    def hold(collection: str) -> Iterator[None]:
        with translated_errors(), database.engine.connect() as connection:
            autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
            name = f"memory-center.collection.{collection}"
            autocommit.execute(text("set lock_timeout = '8s'"))
            autocommit.execute(text(f"select pg_advisory_lock{suffix}(hashtextextended(:name, 2))"), {"name": name})
            try:
                yield
            finally:
                if not connection.invalidated:
                    autocommit.execute(
                        text(f"select pg_advisory_unlock{suffix}(hashtextextended(:name, 2))"), {"name": name}
                    )
                    autocommit.execute(text("set lock_timeout = 0"))

    return hold
