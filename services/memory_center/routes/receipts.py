"""The proof of a forget, for anyone with its id, even after the account was closed (X-03)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Request

from services.memory_center.routes.operations import purge_expected
from services.memory_center.schemas import ReceiptOut
from shared.kernel.database import Database
from shared.kernel.errors import NotFound
from shared.ledger.receipts import read_receipt
from shared.ledger.rules import IMPORTED_REMARKS, REMARKS, to_document
from shared.portability.queries.receipts import read_imported_receipt
from shared.runtime.policies import RetentionPolicy
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/receipts", tags=["receipts"])


@router.get("/{receipt_id}")
def get_receipt(receipt_id: Annotated[UUID, Path()], request: Request) -> ReceiptOut:
    """Return the record of one forget, without content or names. The random id is enough to read it.

    `memory-center verify-receipt FILE` checks it offline.
    """
    database: Database = request.app.state.database
    remarks = REMARKS
    found = database.transact(lambda tx: read_receipt(tx, receipt_id))
    if found is None:
        found, remarks = database.transact(lambda tx: read_imported_receipt(tx, receipt_id)), IMPORTED_REMARKS
    if found is None:
        raise NotFound("receipt")
    retention: RetentionPolicy = request.app.state.retention
    expected = purge_expected(found.erased_at, found.purged_at, retention) if found.is_purged_here else None
    return ReceiptOut(
        receipt_id=found.receipt_id,
        status=found.status,
        type=found.type,
        scope=found.scope,
        unrecallable_at=found.unrecallable_at,
        erased_at=found.erased_at,
        purged_at=found.purged_at,
        purge_expected_at=expected,
        entries=[to_document(entry) for entry in found.entries],
        remarks=dict(remarks),
    )
