"""The ledger's lane: what was accepted is on disk before anything is erased, what was proven is signed."""

from __future__ import annotations

from shared.commands.record_in_ledger import Restored, record_in_ledger
from shared.persistence.outbox import Lease
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import leased_work, process

REPLAY_WAIT_SECONDS = 30.0


@app.task(name="ledger.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Record the operations these outbox rows name; ids that are taken or done are passed over."""
    leased_work().run(outbox_ids, record_together)


def record_together(leases: list[Lease]) -> None:
    leased_work().attempt(leases, lambda: record(leases))


def record(leases: list[Lease]) -> None:
    """Append to the chain and its file, all of them with one write."""
    parts = process()
    try:
        parts.database.transact(
            lambda tx: record_in_ledger(tx, leases, book=parts.ledger_file, with_seal=parts.ledger_seal)
        )
    except Restored:
        raise Postponed("replay_needed", REPLAY_WAIT_SECONDS) from None
