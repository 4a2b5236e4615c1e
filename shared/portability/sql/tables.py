"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table

exports = table(
    "exports",
    uuid="operation_id subject_id conversation_id namespace file_key",
    integer="generation",
    text="scope format language",
    jsonb="items",
    bytea="encryption_key sha256",
    timestamptz="snapshot_at ready_at expires_at created_at",
    bigint="bytes",
)
imports = table(
    "imports",
    uuid="operation_id subject_id namespace file_key",
    integer="generation",
    bytea="encryption_key",
    bigint="bytes",
    boolean="restore_forgotten",
    timestamptz="created_at",
)
