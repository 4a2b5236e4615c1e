"""Which memories a search with a filter may find."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.metadata import Metadata
from shared.lineage.sql import vector_keys
from shared.memories.sql import contents
from shared.recall.rules.items import Among

AMONG_MAX: Final = 5_000
"""Most memories a filtered search looks at: their keys stand in the query of the vector store."""


def among_of(tx: Transaction, subject_id: UUID, metadata: Metadata) -> Among:
    """Return the newest visible memories that have all of this metadata."""
    ids = contents.ids_with(tx, subject_id, metadata, limit=AMONG_MAX)
    return Among(ids=frozenset(ids), keys=tuple(vector_keys.keys_of_memories(tx, ids)))
