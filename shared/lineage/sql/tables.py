"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

lineage = table(
    "lineage",
    text="derived_kind source_kind edge",
    uuid="derived_id source_id subject_id",
    integer="quote_start quote_end generation",
    boolean="context",
)
unlearnable_spans = table("unlearnable_spans", uuid="message_id op_id subject_id", integer="quote_start quote_end")
vector_refs = table(
    "vector_refs",
    uuid="pk subject_id namespace item_id conversation_id",
    text="store item_kind state",
    bigint="first_seq step_id",
    timestamptz="deadline",
)
visible_lineage = view(
    "visible_lineage",
    text="derived_kind source_kind edge",
    uuid="derived_id source_id subject_id",
    integer="quote_start quote_end",
    boolean="context",
)
visible_vectors = view("visible_vectors", uuid="pk subject_id item_id", text="store item_kind")
