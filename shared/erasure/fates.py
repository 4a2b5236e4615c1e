"""What forgetting does to every table, edge and collection; one that is not named here fails a test (X-04)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from shared.kernel.items import kinds

Fate: TypeAlias = Literal[
    "goes", "goes with the person", "goes when revoked", "goes once proven", "goes when worked off", "stays"
]

OTHER_TABLES: Final[Mapping[str, Fate]] = MappingProxyType(
    {
        "debug_records": "goes",
        "imported_receipts": "goes",
        # Ids and digests that keep a conversation consistent while it lives, and its title.
        "conversation_contents": "goes",
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
)


def tables() -> dict[str, Fate]:
    """Return what a forget does to every table: those of the things people have, and all others."""
    found: dict[str, Fate] = dict(OTHER_TABLES)
    for kind in kinds():
        found[kind.table] = kind.fate
        found.update(dict.fromkeys((name for name, _ in kind.contents), kind.fate))
    return found


EDGES: Final = {
    "text_from": "what it leads to is hidden at the 202, erased, and made again from what survives",
    "supported_by": "the edge goes; what it leads to stays",
}

COLLECTIONS: Final = {
    "episodes": "rows go by key, conversation, message or namespace",
    "mem0_memories": "rows go by key or namespace",
    "mem0_entities": "links to what goes are taken out; a row without a memory that speaks of it goes",
}
