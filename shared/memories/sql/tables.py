"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

memories = table(
    "memories",
    uuid="id subject_id supersedes contradicts conversation_id",
    integer="generation importance version",
    text="content_type scope project_id origin level method",
    boolean="taboo disabled confirmed archived",
    timestamptz="last_supported_at spoken_at created_at updated_at",
)
memory_contents = table(
    "memory_contents", uuid="memory_id subject_id", text="text task_hint external_id", jsonb="emotion metadata"
)
document_parts = table("document_parts", uuid="memory_id document_id", integer="position page")  # memories of documents
memory_terms = table("memory_terms", uuid="memory_id subject_id", bigints="terms")
memory_uses = table("memory_uses", uuid="memory_id subject_id", timestamptz="used_at")
mem0_mapping = view(
    "mem0_mapping", uuid="id source_message_id mem0_memory_id", text="user_id", timestamptz="created_at"
)
visible_document_parts = view(
    "visible_document_parts", uuid="memory_id document_id", integer="position page", text="title"
)
visible_memories = view(
    "visible_memories",
    uuid="id subject_id supersedes conversation_id contradicts",
    integer="generation importance version",
    text="content_type scope project_id origin method text task_hint level external_id",
    boolean="taboo disabled confirmed archived",
    timestamptz="spoken_at created_at updated_at last_supported_at",
    jsonb="emotion metadata",
)
