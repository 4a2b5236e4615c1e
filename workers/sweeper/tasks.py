"""Long work nobody waits for: compare the stores with PostgreSQL and mend what differs, purge what was forgotten."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from shared.domain.work import (
    PURGE_MEM0,
    PURGE_MILVUS,
    PURGE_POSTGRES,
    RECONCILE_MEM0,
    RECONCILE_MILVUS,
    REINDEX,
    REMOVE_ORPHANS,
    RESTORE_LOSSES,
)
from shared.persistence.outbox import Lease
from shared.stores.port import StoreUnavailable
from workers.celery_app import app
from workers.process import leased_work
from workers.sweeper.purging import purge_postgres, purge_store
from workers.sweeper.reconciling import compare, remove_orphans
from workers.sweeper.reindexing import reindex
from workers.sweeper.restoring import restore_losses
from workers.sweeper.stores import store_of

THREADS_MAX: Final = 2
"""So many threads of a process sweep; the others are for what people wait for."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="sweeper.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the sweeping these outbox rows name; ids that are taken or done are passed over.

    With enough threads sweeping, nothing is claimed: the relay offers the rows again after 15 s.
    """
    if _threads.acquire(blocking=False):
        try:
            leased_work().run_each(outbox_ids, sweep, kinds=WORK)
        finally:
            _threads.release()


def sweep(lease: Lease) -> None:
    try:
        WORK[lease.kind](lease)
    except StoreUnavailable:
        # mem0 stands on Milvus: whoever looks is told which of the two waits.
        raise StoreUnavailable(store_of(lease)) from None


WORK: Final[dict[str, Callable[[Lease], None]]] = {
    RECONCILE_MILVUS: compare,
    RECONCILE_MEM0: compare,
    REMOVE_ORPHANS: remove_orphans,
    RESTORE_LOSSES: restore_losses,
    REINDEX: reindex,
    PURGE_POSTGRES: purge_postgres,
    PURGE_MILVUS: purge_store,
    PURGE_MEM0: purge_store,
}
