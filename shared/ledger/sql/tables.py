"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table

imported_receipts = table(
    "imported_receipts", uuid="receipt_id subject_id", integer="generation", text="record", timestamptz="imported_at"
)
ledger = table(
    "ledger",
    bigint="seq",
    uuid="op_id receipt_id",
    text="kind body",
    integer="run",
    bytea="prev_hash hash signature branch",
)
