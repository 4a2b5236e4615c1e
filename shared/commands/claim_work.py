"""Take outbox rows under a lease, and give them back."""

from __future__ import annotations

from collections.abc import Sequence

from shared.domain.events import StepFailed
from shared.domain.failures import FAILED_RETRY_SECONDS, describe
from shared.persistence import events, outbox, steps, subjects
from shared.persistence.database import Transaction
from shared.persistence.outbox import Lease


def claim_work(tx: Transaction, outbox_ids: Sequence[int], *, lease_seconds: float) -> list[Lease]:
    """Lease the rows that are still ready; a second delivery of the same ids finds none."""
    leases = outbox.claim(tx, outbox_ids, lease_seconds=lease_seconds)
    started = [lease.step_id for lease in leases if lease.step_id is not None]
    if started:
        steps.start(tx, started)
    return leases


def postpone(tx: Transaction, lease: Lease, *, code: str, delay_seconds: float, spend_attempt: bool = True) -> None:
    """Return a row to the queue and show its person why and until when it waits; a row whose twin waits goes.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    retry_at = outbox.put_back(tx, lease, code=code, delay_seconds=delay_seconds, spend_attempt=spend_attempt)
    if lease.step_id is not None and retry_at is not None:
        steps.delay(tx, lease.step_id, status="ready", error=describe(code), retry_at=retry_at, spent=spend_attempt)


def give_up(tx: Transaction, lease: Lease, *, code: str) -> None:
    """Park a row that repeating cannot heal: visible as failed, tried again hourly or when the person asks.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    retry_at = outbox.fail(tx, lease, code=code, retry_seconds=FAILED_RETRY_SECONDS)
    if lease.step_id is not None and lease.operation_id is not None and retry_at is not None:
        steps.delay(tx, lease.step_id, status="failed", error=describe(code), retry_at=retry_at)
        subject = subjects.read(tx, lease.subject_id)
        if subject is not None:
            failed = StepFailed(step=lease.kind, code=code)
            events.append(tx, subject, lease.operation_id, [failed], actor="system:worker")


def revive_work(tx: Transaction) -> int:
    """Return expired leases and due failures to the queue; returns how many."""
    revived = outbox.revive(tx)
    if revived:
        steps.reopen_revived(tx)
    return revived
