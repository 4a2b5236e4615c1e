"""The item kind of documents. Their parts are memories."""

from __future__ import annotations

from typing import Final

from shared.documents.packages import DOCUMENTS
from shared.documents.sql import documents, tables
from shared.kernel.items import ItemKind
from shared.memories.sql.tables import document_parts

DOCUMENT: Final = ItemKind(
    name="document",
    record="document",
    table=tables.documents,
    visible=tables.visible_documents,
    contents=(tables.document_contents.c.document_id, document_parts.c.document_id),
    in_lineage=True,
    selectable=True,
    recorded=True,
    on_forget=documents.forget_emptied,
    in_packages=DOCUMENTS,
)
