"""Receipts, which anyone with the receipt id can read, with or without an account (X-03)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.ledger.rules import Entry
from shared.ledger.sql import entries as ledger
from shared.outbox.sql import operations


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The status of a forget operation and its ledger entries.

    Args:
        is_purged_here: whether this installation erased the data, and therefore purges its data files.
    """

    receipt_id: UUID
    status: str
    type: str
    scope: str
    unrecallable_at: datetime | None
    erased_at: datetime | None
    purged_at: datetime | None
    entries: list[Entry]
    is_purged_here: bool


def read_receipt(tx: Transaction, receipt_id: UUID) -> Receipt | None:
    """Return the receipt with this id; None if there is none.

    `status` is the operation's. The proof exists once an entry of kind `verified` does.
    """
    operation = operations.of_receipt(tx, receipt_id)
    entries = ledger.of_receipt(tx, receipt_id)
    if operation is None:
        return of_entries(receipt_id, entries) if entries else None
    return Receipt(
        receipt_id=receipt_id,
        status=operation.status,
        type=operation.type,
        scope=operation.scope,
        unrecallable_at=operation.unrecallable_at,
        erased_at=operation.erased_at,
        purged_at=operation.purged_at,
        entries=entries,
        is_purged_here=True,
    )


def of_entries(receipt_id: UUID, entries: list[Entry]) -> Receipt:
    """Return the receipt of an operation whose target no restored backup contained, built from its entries only."""
    said = entries[-1].said
    erased_at = said.get("verified_at")
    return Receipt(
        receipt_id=receipt_id,
        status="succeeded" if erased_at else "pending",
        type=said["type"],
        scope=said["scope"],
        unrecallable_at=datetime.fromisoformat(said["accepted_at"]),
        erased_at=datetime.fromisoformat(erased_at) if erased_at else None,
        purged_at=None,
        entries=entries,
        is_purged_here=False,
    )
