"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

feedback = table(
    "feedback",
    uuid="id subject_id conversation_id message_id",
    integer="generation rating",
    bigint="at_seq",
    text="action rating_word",
    timestamptz="recorded_at",
)
feedback_contents = table(
    "feedback_contents", uuid="feedback_id", text="evidence_ref related_object_ref comment reason"
)
preference_hints = table("preference_hints", uuid="subject_id", integer="generation", timestamptz="hinted_at")
preference_signal_contents = table("preference_signal_contents", uuid="signal_id", text="quote")
preference_signals = table(
    "preference_signals",
    uuid="id subject_id feedback_id conversation_id",
    integer="generation",
    bigint="at_seq",
    text="action label language",
    bytea="topic",
    timestamptz="recorded_at",
)
visible_feedback = view(
    "visible_feedback",
    uuid="id subject_id conversation_id message_id",
    integer="generation rating",
    text="action evidence_ref related_object_ref comment rating_word reason",
    timestamptz="recorded_at",
)
visible_preference_signals = view(
    "visible_preference_signals",
    uuid="id subject_id feedback_id",
    integer="generation",
    text="action label language quote",
    bytea="topic",
    timestamptz="recorded_at",
)
