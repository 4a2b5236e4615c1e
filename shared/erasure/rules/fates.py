"""What forgetting does to every table, edge and collection; one that is not named here fails a test (X-04)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Fate: TypeAlias = Literal["goes", "goes with the person", "goes once proven", "goes when worked off", "stays"]

TABLES: Final[dict[str, Fate]] = {
    # Items, and what people wrote in them.
    "messages": "goes",
    "message_contents": "goes",
    "message_terms": "goes",
    "conversation_contents": "goes",
    "feedback": "goes",
    "feedback_contents": "goes",
    "summaries": "goes",
    "summary_contents": "goes",
    "episodes": "goes",
    "memories": "goes",
    "memory_contents": "goes",
    "memory_terms": "goes",
    "withheld": "goes",
    "preference_signals": "goes",
    "preference_signal_contents": "goes",
    "debug_records": "goes",
    "exports": "goes",  # and the only key of its file with it
    "imports": "goes",  # as exports
    "imported_receipts": "goes",
    # Ids and digests that keep a conversation consistent while it lives.
    "conversations": "goes with the person",
    "erased_messages": "goes with the person",
    "unlearnable_spans": "goes with the person",
    "events": "goes with the person",  # but for what happened to operations, and settings unless the account closes
    "idempotency_keys": "goes with the person",
    # What tells where to look, until the search found nothing.
    "hides": "goes once proven",
    "lineage": "goes once proven",
    "vector_refs": "goes once proven",
    "outbox": "goes when worked off",
    # Content-free: what was asked, done and proven. A closed account leaves a stub without a name.
    "subjects": "stays",
    "operations": "stays",
    "operation_steps": "stays",
    "ledger": "stays",
    "user_settings": "stays",  # unless the account closes
}

EDGES: Final = {
    "text_from": "what it leads to is hidden at the 202, erased, and made again from what survives",
    "supported_by": "the edge goes; what it leads to stays",
}

COLLECTIONS: Final = {
    "episodes": "rows go by key, conversation, message or namespace",
    "mem0_memories": "rows go by key or namespace",
    "mem0_entities": "links to what goes are taken out; a row without a memory that speaks of it goes",
}
