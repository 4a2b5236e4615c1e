"""What can be shown of a forget to whoever holds its receipt's id, account or not (X-03)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain.ledger import Entry
from shared.persistence import ledger, operations
from shared.persistence.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How far a forget is, and what the ledger says of it."""

    receipt_id: UUID
    status: str
    type: str
    scope: str
    unrecallable_at: datetime | None
    erased_at: datetime | None
    purged_at: datetime | None
    entries: list[Entry]


def read_receipt(tx: Transaction, receipt_id: UUID) -> Receipt | None:
    """Return the receipt under a random id; None when there is none.

    `status` is the operation's; the proof is there once an entry says `verified`.
    """
    operation = operations.of_receipt(tx, receipt_id)
    if operation is None:
        return None
    return Receipt(
        receipt_id=receipt_id,
        status=operation.status,
        type=operation.type,
        scope=operation.scope,
        unrecallable_at=operation.unrecallable_at,
        erased_at=operation.erased_at,
        purged_at=operation.purged_at,
        entries=ledger.of_receipt(tx, receipt_id),
    )
