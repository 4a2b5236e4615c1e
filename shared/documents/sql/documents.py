"""SQL for uploaded documents and where their parts stand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, column, select, text

from shared.documents.rules.media_types import MediaType
from shared.documents.sql.tables import visible_documents
from shared.kernel.database import Transaction
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A visible document.

    Args:
        size: bytes of the file.
        pages: of a PDF.
        parts: how many of its parts were not forgotten.
    """

    id: UUID
    title: str
    media_type: MediaType
    size: int
    pages: int | None
    parts: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPart:
    """A visible part of a document: a memory, and where it stands."""

    memory_id: UUID
    position: int
    page: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a memory stands in a visible document."""

    document_id: UUID
    title: str
    position: int
    page: int | None


_D: Final = visible_documents.c
# `offset 0` keeps each part a lookup by its key: with the statistics of a table that just grew, PostgreSQL would
# compare each part with every memory.
_VISIBLE: Final = (
    text(
        """
        select d.id, d.title, d.media_type, d.size, d.pages, d.created_at,
               (select count(*) from document_parts p,
                       lateral (select from visible_memories where id = p.memory_id offset 0) m
                where p.document_id = d.id) as parts
        from visible_documents d where d.subject_id = :subject
        """
    )
    .columns(_D.id, _D.title, _D.media_type, _D.size, _D.pages, _D.created_at, column("parts"))
    .subquery("d")
)
_BY_ID: Final = select(_VISIBLE).where(_VISIBLE.c.id == bindparam("id"))
_AFTER: Final = bindparam("after", type_=Uuid)
_PAGE: Final = (
    select(_VISIBLE)
    .where(_AFTER.is_(None) | (_VISIBLE.c.id < _AFTER))
    .order_by(_VISIBLE.c.id.desc())
    .limit(bindparam("limit"))
)


def add(tx: Transaction, subject: Subject, document: StoredDocument, parts: Sequence[tuple[UUID, int | None]]) -> None:
    """Insert a document and where its parts stand.

    Args:
        parts: the memory and page of each, in order.
    """
    tx.run(
        """
        with kept as (
          insert into documents (id, subject_id, generation, media_type, size, pages, created_at)
          values (:id, :subject, :generation, :media_type, :size, :pages, :created_at) returning id
        )
        insert into document_contents (document_id, title) select id, :title from kept
        """,
        id=document.id,
        subject=subject.id,
        generation=subject.generation,
        media_type=document.media_type,
        size=document.size,
        pages=document.pages,
        created_at=document.created_at,
        title=document.title,
    )
    tx.run(
        """
        insert into document_parts (memory_id, document_id, position, page)
        select memory_id, :document, position, page
        from jsonb_to_recordset(:parts) as p(memory_id uuid, position integer, page integer)
        """,
        document=document.id,
        parts=json.dumps(
            [
                {"memory_id": str(memory_id), "position": position, "page": page}
                for position, (memory_id, page) in enumerate(parts, 1)
            ]
        ),
    )


def page(tx: Transaction, subject_id: UUID, *, after: UUID | None, limit: int) -> list[StoredDocument]:
    """Return visible documents, newest first."""
    return [StoredDocument(**row) for row in tx.rows(_PAGE, subject=subject_id, after=after, limit=limit)]


def read(tx: Transaction, subject_id: UUID, document_id: UUID) -> StoredDocument | None:
    """Return a visible document of this person."""
    row = tx.row(_BY_ID, subject=subject_id, id=document_id)
    return StoredDocument(**row) if row else None


def parts(tx: Transaction, subject_id: UUID, document_id: UUID, *, after: int, limit: int) -> list[StoredPart]:
    """Return the visible parts of a visible document after a position, in order."""
    rows = tx.rows(
        """
        select p.memory_id, p.position, p.page, m.text
        from visible_document_parts p,
             lateral (select text from visible_memories where id = p.memory_id and subject_id = :subject offset 0) m
        where p.document_id = :document and p.position > :after
        order by p.position limit :limit
        """,
        subject=subject_id,
        document=document_id,
        after=after,
        limit=limit,
    )
    return [StoredPart(**row) for row in rows]


def places(tx: Transaction, memory_ids: Sequence[UUID]) -> Mapping[UUID, Place]:
    """Return where these memories stand; those of no document are left out."""
    if not memory_ids:
        return {}
    rows = tx.rows(
        """
        select memory_id, document_id, position, page, title from visible_document_parts
        where memory_id = any(:ids)
        """,
        ids=list(memory_ids),
    )
    return {row.pop("memory_id"): Place(**row) for row in map(dict, rows)}


def forget_emptied(tx: Transaction, subject: Subject, forgotten: Forgotten) -> Mapping[str, Sequence[UUID]]:
    """Return the documents whose last parts are about to be forgotten: their names go too."""
    gone = [one for one in forgotten.hidden.get("memory", ()) if one not in forgotten.partly]
    found = emptied(tx, subject.id, gone) if gone else []
    return {"document": found} if found else {}


def emptied(tx: Transaction, subject_id: UUID, gone: Sequence[UUID]) -> list[UUID]:
    """Return the visible documents that would have no visible part left without these memories."""
    parts = tx.rows("select distinct document_id from document_parts where memory_id = any(:gone)", gone=list(gone))
    if not parts:  # of nearly every forget; planning the rest takes longer than all of it
        return []
    rows = tx.rows(
        """
        select d.id from visible_documents d
        where d.subject_id = :subject and d.id = any(:touched)
          and not exists (
            select from document_parts p, lateral (select from visible_memories where id = p.memory_id offset 0) m
            where p.document_id = d.id and p.memory_id <> all(:gone)
          )
        order by d.id
        """,
        subject=subject_id,
        touched=[row["document_id"] for row in parts],
        gone=list(gone),
    )
    return [row["id"] for row in rows]
