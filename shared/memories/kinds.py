"""The item kind of memories."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind

MEMORY: Final = ItemKind(
    name="memory",
    record="memory",
    table="memories",
    visible="visible_memories",
    contents=(("memory_contents", "memory_id"), ("memory_terms", "memory_id"), ("document_parts", "memory_id")),
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary="select id, content_type as label, text as content, created_at as made_at from visible_memories",
)
