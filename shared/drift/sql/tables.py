"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

persona_drift = table(
    "persona_drift",
    uuid="id subject_id prior_id current_id",
    integer="generation",
    text="drift_id signal_kind schema_version prior_kind current_kind",
    boolean="triggers_alert",
    timestamptz="observed_at",
)
persona_drift_contents = table("persona_drift_contents", uuid="drift_id", jsonb="contents")
thread_note_contents = table("thread_note_contents", uuid="note_id", text="text object_ref")
thread_notes = table(
    "thread_notes",
    uuid="id subject_id conversation_id",
    integer="generation",
    bigint="at_seq",
    text="kind object_type",
    timestamptz="scanned_at noted_at",
)
visible_drift = view(
    "visible_drift",
    uuid="id subject_id prior_id current_id",
    integer="generation",
    text="drift_id signal_kind schema_version prior_kind current_kind",
    boolean="triggers_alert",
    timestamptz="observed_at",
    jsonb="contents",
)
visible_thread_notes = view(
    "visible_thread_notes",
    uuid="id subject_id conversation_id",
    integer="generation",
    bigint="at_seq",
    text="kind object_type text object_ref",
    timestamptz="scanned_at noted_at",
)
