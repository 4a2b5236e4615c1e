"""Purge erased content from data files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared.erasure.purge import confirm_purge
from shared.erasure.sql import purging
from shared.erasure.sql.purging import PurgeBusy, rewrite_tables
from shared.kernel.locks import collection_lock
from shared.outbox.sql.leasing import Lease
from shared.stores.milvus_purging import Purger
from workers.leases import Postponed
from workers.maintenance.stores import store_of
from workers.process import process

BUSY_WAIT_SECONDS: Final = 30.0


def purge_postgres(lease: Lease) -> None:
    """Rewrite every table that held content."""

    def rewrite() -> dict[str, int]:
        try:
            return {"tables": rewrite_tables(process().locks)}
        except PurgeBusy:
            raise Postponed("database_unavailable", BUSY_WAIT_SECONDS) from None

    _purge(lease, rewrite)


def purge_store(lease: Lease) -> None:
    """Remove deleted rows from the files of `milvus` or `mem0`."""
    settings = process().settings
    purger = Purger(
        settings.milvus_uri,
        token=settings.milvus_token.get_secret_value(),
        flavour=settings.milvus_flavour,
        lock=collection_lock(process().locks, exclusive=True),
        keep=lambda keys: process().database.transact(lambda tx: purging.kept(tx, keys)),
    )
    try:
        _purge(lease, lambda: purger.purge_store(store_of(lease)))
    finally:
        purger.close()


def _purge(lease: Lease, work: Callable[[], dict[str, int]]) -> None:
    database = process().database
    started_at = database.transact(lambda tx: tx.now())
    counts = work()
    database.transact(lambda tx: confirm_purge(tx, lease, started_at, counts))
