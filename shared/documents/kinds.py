"""The item kind of documents. Their parts are memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from shared.documents.packages import DOCUMENTS
from shared.documents.sql import documents, tables
from shared.kernel.database import Transaction
from shared.kernel.items import Forgotten, ItemKind
from shared.kernel.subjects import Subject
from shared.memories.sql.tables import document_parts


def forget_emptied(tx: Transaction, subject: Subject, forgotten: Forgotten) -> Mapping[str, Sequence[UUID]]:
    """Return the documents whose last parts are about to be forgotten: their names go too."""
    gone = [one for one in forgotten.hidden.get("memory", ()) if one not in forgotten.partly]
    found = documents.emptied(tx, subject.id, gone) if gone else []
    return {"document": found} if found else {}


DOCUMENT: Final = ItemKind(
    name="document",
    record="document",
    table=tables.documents,
    visible=tables.visible_documents,
    contents=(tables.document_contents.c.document_id, document_parts.c.document_id),
    in_lineage=True,
    selectable=True,
    recorded=True,
    on_forget=forget_emptied,
    in_packages=DOCUMENTS,
)
