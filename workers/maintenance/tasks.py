"""Long work nobody waits for: compare the stores with PostgreSQL and mend what differs, purge what was forgotten."""

from __future__ import annotations

import threading
from typing import Final

from shared.outbox.job_kinds import MAINTENANCE
from shared.outbox.sql.outbox import Lease
from shared.stores.port import StoreUnavailable
from workers.celery_app import app
from workers.process import leased_work

THREADS_MAX: Final = 2
"""So many threads of a process do this; the others are for what people wait for."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="maintenance.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the maintenance these outbox rows name; ids that are taken or done are passed over.

    With enough threads at it, nothing is claimed: the scheduler offers the rows again after 15 s.
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
        # mem0 stands on Milvus: whoever looks is told which of the two waits.
        raise StoreUnavailable(store_of(lease)) from None
