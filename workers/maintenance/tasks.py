"""Long background work: compare stores with PostgreSQL, repair differences, purge forgotten content from files."""

from __future__ import annotations

import threading
from typing import Final

from shared.outbox.job_kinds import MAINTENANCE
from shared.outbox.sql.leasing import Lease
from shared.stores.port import StoreUnavailable
from workers.celery_app import app
from workers.process import leased_work

THREADS_MAX: Final = 2
"""Maintenance threads per process; the others are kept for work people wait for."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="maintenance.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the maintenance of these outbox rows; rows that are claimed or done are skipped.

    If all maintenance threads are busy, nothing is claimed; the scheduler offers the rows again after 12 s.
    """
    if _threads.acquire(blocking=False):
        try:
            leased_work().run_each(outbox_ids, maintain, kinds=MAINTENANCE)
        finally:
            _threads.release()


def maintain(lease: Lease) -> None:
    from workers.maintenance.kinds import WORK, store_of  # noqa: PLC0415 # pymilvus and mem0 take 3 s and 145 MiB

    try:
        WORK[lease.kind](lease)
    except StoreUnavailable:
        # mem0 uses Milvus: report the store this work was for.
        raise StoreUnavailable(store_of(lease)) from None
