"""Which memories a search with a filter may find."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.lineage.sql import vector_keys
from shared.memories.sql.listing import MemoryFilter, ids_of
from shared.recall.rules.items import Among

AMONG_MAX: Final = 5_000
"""Most memories a filtered search looks at: their keys stand in the query of the vector store."""


def among_of(tx: Transaction, subject_id: UUID, wanted: MemoryFilter) -> Among:
    """Return the newest visible memories that a filter lets pass."""
    ids = ids_of(tx, subject_id, wanted, limit=AMONG_MAX)
    return Among(ids=frozenset(ids), keys=tuple(vector_keys.keys_of_memories(tx, ids)))
