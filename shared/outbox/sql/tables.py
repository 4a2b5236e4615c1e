"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table

hides = table("hides", text="kind", uuid="item_id op_id")
operation_steps = table(
    "operation_steps",
    bigint="id",
    uuid="operation_id",
    text="name status last_error",
    integer="attempts",
    jsonb="counts",
    timestamptz="next_retry_at started_at finished_at",
)
operations = table(
    "operations",
    uuid="id subject_id receipt_id",
    text="type scope status last_error",
    jsonb="target payload",
    real="progress",
    integer="retry_count run version",
    timestamptz="unrecallable_at erased_at purged_at not_before created_at updated_at",
)
outbox = table(
    "outbox",
    bigint="id step_id lease_token",
    uuid="operation_id subject_id",
    text="kind state dedupe_key last_error",
    jsonb="payload",
    integer="priority attempt expiries",
    timestamptz="available_at lease_until published_at created_at",
)
