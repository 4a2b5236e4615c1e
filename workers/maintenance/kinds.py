"""The function for each kind of maintenance work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared.outbox.job_kinds import (
    PURGE_MEM0,
    PURGE_MILVUS,
    PURGE_POSTGRES,
    RECONCILE_MEM0,
    RECONCILE_MILVUS,
    REINDEX,
    REMOVE_ORPHANS,
    RESTORE_LOSSES,
)
from shared.outbox.sql.leasing import Lease
from workers.maintenance.purging import purge_postgres, purge_store
from workers.maintenance.reconciling import compare, remove_orphans
from workers.maintenance.reindexing import reindex
from workers.maintenance.restoring import restore_losses
from workers.maintenance.stores import store_of

__all__ = ["WORK", "store_of"]

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
