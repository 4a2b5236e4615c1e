"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

reflections = table(
    "reflections",
    uuid="id subject_id",
    integer="generation",
    text="trigger reason",
    timestamptz="at recorded_at",
    jsonb="counts",
)
trait_contents = table("trait_contents", uuid="trait_id", text="text", boolean="edited")
trait_contexts = table("trait_contexts", uuid="trait_id", text="label tendency", double="confidence")
trait_evidence = table("trait_evidence", uuid="trait_id observation_id", text="side grade")
trait_observations = table(
    "trait_observations",
    uuid="id subject_id conversation_id source_id cycle_id",
    integer="generation",
    bigint="at_seq",
    text="source_kind trait_key form context",
    boolean="shows",
    double="sure",
    timestamptz="observed_at recorded_at",
)
trait_recalls = table("trait_recalls", uuid="trait_id cycle_id")
trait_questions = table(
    "trait_questions",
    uuid="subject_id",
    integer="generation",
    timestamptz="asked since notes_read looked_at",
    jsonb="restarts",
)
traits = table(
    "traits",
    uuid="id subject_id",
    integer="generation importance reinforcement_count contradiction_count version",
    text="trait_key subtype stage context derived_from chosen_context qualified",
    double="confidence base_confidence",
    timestamptz="valid_from valid_until first_observed last_reinforced confirmed_at created_at updated_at",
    boolean="overruled",
)
unlearnable_traits = table("unlearnable_traits", uuid="subject_id op_id", integer="generation", text="trait_key")
visible_reflections = view(
    "visible_reflections",
    uuid="id subject_id",
    integer="generation",
    text="trigger reason",
    timestamptz="at",
    jsonb="counts",
)
visible_trait_contexts = view("visible_trait_contexts", uuid="trait_id", text="label tendency", double="confidence")
visible_trait_evidence = view(
    "visible_trait_evidence",
    uuid="trait_id observation_id source_id conversation_id cycle_id",
    text="side grade source_kind form context",
    timestamptz="observed_at",
)
visible_trait_observations = view(
    "visible_trait_observations",
    uuid="id subject_id conversation_id source_id cycle_id",
    integer="generation",
    bigint="at_seq",
    text="source_kind trait_key form context",
    boolean="shows",
    double="sure",
    timestamptz="observed_at recorded_at",
)
visible_traits = view(
    "visible_traits",
    uuid="id subject_id",
    integer="generation importance reinforcement_count contradiction_count version",
    text="trait_key subtype stage context derived_from chosen_context qualified text",
    double="confidence base_confidence",
    timestamptz="valid_from valid_until first_observed last_reinforced confirmed_at created_at updated_at",
    boolean="overruled edited",
)
