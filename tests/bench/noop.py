"""A kind of work that does nothing outside, known to the processes of the benchmark only.

What its rows pass is all the product's: outbox, scheduler, broker, worker, lease, heartbeat, fenced close.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import BATCHES, QUEUES
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease
from workers.celery_app import app
from workers.process import leased_work, process

KIND = "bench.noop"
QUEUE = "bench"

kinds: dict[str, str] = QUEUES
kinds[KIND] = QUEUE
batches: dict[str, int] = BATCHES
batches[KIND] = 50  # done in one call, as the product's stores do theirs
if "learner" in (served := os.environ.get("MEMORY_CENTER_QUEUES", "")):
    os.environ["MEMORY_CENTER_QUEUES"] = f"{served},{QUEUE}"  # the launcher knows of the product's own alone


@app.task(name=f"{QUEUE}.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Claim the rows together and close them together."""
    began = time.monotonic_ns()

    def work(leases: list[Lease]) -> None:
        _note(leases, began, time.monotonic_ns())
        _hold(leases)
        leased_work().attempt(leases, lambda: _close(leases))

    leased_work().run(outbox_ids, work)


def _close(leases: Sequence[Lease]) -> None:
    def close(tx: Transaction) -> None:
        for lease in leasing.still_held(tx, leases):
            leasing.close(tx, lease)

    process().database.transact(close)


def _note(leases: Sequence[Lease], began: int, claimed: int) -> None:
    """Append (number, attempt, claim begun, claimed) to the file a row names, both times monotonic nanoseconds."""
    for path in {str(lease.payload["note"]) for lease in leases if "note" in lease.payload}:
        noted = [lease for lease in leases if lease.payload.get("note") == path]
        lines = "".join(f"{_number(lease)} {lease.attempt} {began} {claimed}\n" for lease in noted)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, lines.encode())
        finally:
            os.close(file)


def _number(lease: Lease) -> Any:
    return lease.payload["number"]


def _hold(leases: Sequence[Lease]) -> None:
    """Keep rows that ask for it until this process is killed; who claims them after that does not hold them."""
    if seconds := max((lease.payload.get("hold", 0) for lease in leases if lease.attempt == 1), default=0):
        time.sleep(seconds)
