"""The item kind of memories."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.memories.sql import memories, tables

MEMORY: Final = ItemKind(
    name="memory",
    record="memory",
    table=tables.memories,
    visible=tables.visible_memories,
    contents=(
        tables.memory_contents.c.memory_id,
        tables.memory_terms.c.memory_id,
        tables.memory_uses.c.memory_id,
        tables.document_parts.c.memory_id,
    ),
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary=memories.AS_DERIVED,
)
