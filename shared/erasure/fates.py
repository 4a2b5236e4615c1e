"""What a forget does to every table, edge and collection. A table that is missing here fails a test (X-04)."""

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
        # Ids and digests that keep a live conversation consistent, and its title.
        "conversation_contents": "goes",
        "erased_messages": "goes with the person",
        "unlearnable_spans": "goes with the person",
        "unlearnable_traits": "goes with the person",
        "trait_questions": "goes with the person",
        "preference_hints": "goes with the person",
        "events": "goes with the person",  # except operation events, and settings events unless the account closes
        "idempotency_keys": "goes with the person",
        # Where to search for copies; needed until the search found nothing.
        "hides": "goes once proven",
        "lineage": "goes once proven",
        "vector_refs": "goes once proven",
        "outbox": "goes when worked off",
        # Free of content: what was requested, done and proven. A closed account leaves a stub without a name.
        "subjects": "stays",
        "operations": "stays",
        "operation_steps": "stays",
        "ledger": "stays",
        "hosts": "stays",
        "rounds": "stays",
        "user_settings": "stays",  # unless the account closes
    }
)


def tables() -> dict[str, Fate]:
    """Return what a forget does to each table, item kinds included."""
    found: dict[str, Fate] = dict(OTHER_TABLES)
    for kind in kinds():
        found[kind.table.name] = kind.fate
        found.update(dict.fromkeys((key.table.name for key in kind.contents), kind.fate))
    return found


EDGES: Final = {
    "text_from": "what it leads to is hidden at the 202, erased, and made again from what survives",
    "supported_by": "the edge goes; what it leads to stays, and a trait is folded again without it",
}

COLLECTIONS: Final = {
    "episodes": "rows go by key, conversation, message or namespace",
    "mem0_memories": "rows go by key or namespace",
    "mem0_entities": "links to what goes are taken out; a row without a memory that speaks of it goes",
}
