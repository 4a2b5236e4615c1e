"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

document_contents = table("document_contents", uuid="document_id", text="title")
documents = table(
    "documents",
    uuid="id subject_id",
    integer="generation pages",
    text="media_type",
    bigint="size",
    timestamptz="created_at",
)
visible_documents = view(
    "visible_documents",
    uuid="id subject_id",
    integer="generation pages",
    text="media_type title",
    bigint="size",
    timestamptz="created_at",
)
