"""The item kind of documents. Their parts are memories."""

from __future__ import annotations

from typing import Final

from shared.documents.packages import DOCUMENTS
from shared.kernel.items import ItemKind

DOCUMENT: Final = ItemKind(
    name="document",
    record="document",
    table="documents",
    visible="visible_documents",
    contents=(("document_contents", "document_id"), ("document_parts", "document_id")),
    in_lineage=True,
    selectable=True,
    recorded=True,
    in_packages=DOCUMENTS,
)
