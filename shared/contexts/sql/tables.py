"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

context_contents = table("context_contents", uuid="context_id", jsonb="fields")
tasks = table(
    "tasks",
    uuid="id subject_id conversation_id",
    integer="generation",
    text="route status",
    timestamptz="created_at ended_at",
)
training_candidate_contents = table("training_candidate_contents", uuid="candidate_id", text="object_ref")
training_candidates = table(
    "training_candidates",
    uuid="id subject_id conversation_id consent_id",
    integer="generation",
    text="status withdrawal_status",
    bigint="at_seq",
    timestamptz="created_at",
)
user_contexts = table(
    "user_contexts",
    uuid="id subject_id task_id conversation_id consent_id",
    integer="generation",
    text="scope written_by",
    bigint="at_seq",
    boolean="consent_blocked training_excluded",
    timestamptz="expires_at created_at",
)
visible_candidates = view(
    "visible_candidates",
    uuid="id subject_id conversation_id consent_id",
    integer="generation",
    text="status withdrawal_status object_ref",
    bigint="at_seq",
    timestamptz="created_at",
)
visible_contexts = view(
    "visible_contexts",
    uuid="id subject_id task_id conversation_id consent_id",
    integer="generation",
    text="scope written_by",
    bigint="at_seq",
    boolean="consent_blocked training_excluded",
    timestamptz="expires_at created_at",
    jsonb="fields",
)
visible_tasks = view(
    "visible_tasks",
    uuid="id subject_id conversation_id",
    integer="generation",
    text="route status",
    timestamptz="created_at ended_at",
)
