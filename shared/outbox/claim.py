"""Claim outbox rows under a lease, return them to the queue, or mark them as failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import StepFailed
from shared.outbox.backoff import FAILED_RETRY_SECONDS
from shared.outbox.error_codes import describe
from shared.outbox.sql import leasing, reaper, steps
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.reaper import Parked, Revived


def claim_work(
    tx: Transaction, outbox_ids: Sequence[int], *, lease_seconds: float, kinds: Sequence[str] | None = None
) -> list[Lease]:
    """Lease the rows that are still ready, optionally of some kinds; delivering the same ids again claims nothing."""
    leases = leasing.claim(tx, outbox_ids, lease_seconds=lease_seconds, kinds=kinds)
    started = [lease.step_id for lease in leases if lease.step_id is not None]
    if started:
        steps.start(tx, started)
    return leases


def postpone(tx: Transaction, lease: Lease, *, code: str, delay_seconds: float, spend_attempt: bool = True) -> None:
    """Return a row to the queue and show the reason and the retry time on its step.

    The row is deleted instead if a ready row has the same dedupe key.

    Raises:
        LeaseLost: another worker holds the row.
    """
    retry_at = leasing.put_back(tx, lease, code=code, delay_seconds=delay_seconds, spend_attempt=spend_attempt)
    if lease.step_id is not None and retry_at is not None:
        steps.delay(tx, lease.step_id, status="ready", error=describe(code), retry_at=retry_at, spent=spend_attempt)


def give_up(tx: Transaction, lease: Lease, *, code: str) -> None:
    """Mark a row as failed when retrying soon cannot help; it is retried hourly, or when the person asks.

    Raises:
        LeaseLost: another worker holds the row.
    """
    retry_at = leasing.fail(tx, lease, code=code, retry_seconds=FAILED_RETRY_SECONDS)
    if retry_at is not None:
        _show_failed(tx, lease, code=code, retry_at=retry_at)


def revive_work(tx: Transaction, *, expired_within: float | None = None) -> Revived:
    """Return expired leases and due failures to the queue; mark rows that repeatedly lost their worker as failed.

    Args:
        expired_within: act only if a lease or failure became due in the last so many seconds; None for no limit.
    """
    revived = reaper.revive(
        tx, lost_code="worker_lost", retry_seconds=FAILED_RETRY_SECONDS, expired_within=expired_within
    )
    for row in revived.parked:
        _show_failed(tx, row, code="worker_lost", retry_at=row.retry_at)
    if revived.returned:
        steps.reopen_revived(tx)
    return revived


def _show_failed(tx: Transaction, row: Lease | Parked, *, code: str, retry_at: datetime) -> None:
    if row.step_id is None or row.operation_id is None:
        return
    steps.delay(tx, row.step_id, status="failed", error=describe(code), retry_at=retry_at)
    subject = subjects.read(tx, row.subject_id)
    if subject is not None:
        failed = StepFailed(step=row.kind, code=code)
        event_log.append(tx, subject, row.operation_id, [failed], actor="system:worker")
