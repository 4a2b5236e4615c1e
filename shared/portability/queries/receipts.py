"""Receipts of other installations that came with an import (X-03)."""

from __future__ import annotations

import json
from uuid import UUID

from shared.kernel.database import Transaction
from shared.ledger.receipts import Receipt, of_entries
from shared.ledger.rules import from_document
from shared.portability.sql import imports


def read_imported_receipt(tx: Transaction, receipt_id: UUID) -> Receipt | None:
    """Return an imported receipt, read from its entries; their signer vouches for it, not this installation."""
    document = imports.receipt(tx, receipt_id)
    if document is None:
        return None
    try:
        return of_entries(receipt_id, [from_document(one) for one in json.loads(document)["entries"]])
    except (LookupError, TypeError, ValueError):  # the document comes from another installation
        return None
