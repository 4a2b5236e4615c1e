"""Write the ledger: accepted operations are on disk before anything is erased, and proofs are signed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from shared.ledger.record import Restored, record_in_ledger
from shared.outbox.job_kinds import RECORDING
from shared.outbox.sql.leasing import Lease
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import leased_work, process

REPLAY_WAIT_SECONDS = 30.0
LANE_WAIT_SECONDS = 2.0

_one_writer = threading.Lock()


@app.task(name="ledger.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Record the operations of these outbox rows; rows that are claimed or done are skipped."""
    leased_work().run(outbox_ids, lambda leases: leased_work().attempt_together(leases, record), kinds=RECORDING)


def record(leases: Sequence[Lease]) -> list[Callable[[], None]]:
    """Append all entries to the chain and its file with one write, which also closes the rows."""
    parts = process()
    if not _one_writer.acquire(timeout=LANE_WAIT_SECONDS):
        raise Postponed("ledger_unavailable", LANE_WAIT_SECONDS)  # a hanging disk must not block every thread
    try:
        book, seal = parts.ledger_book, parts.ledger_seal
        for start in range(0, len(leases), book.at_once):
            some = leases[start : start + book.at_once]
            parts.database.transact(partial(record_in_ledger, leases=some, book=book, with_seal=seal))
    except Restored:
        raise Postponed("replay_needed", REPLAY_WAIT_SECONDS) from None
    finally:
        _one_writer.release()
    return [_nothing] * len(leases)


def _nothing() -> None:
    """Do nothing: `record` has closed the row."""
