"""Add a document: one row, and a memory for each of its parts (TR-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from shared.consent.allows import allows
from shared.consent.rules.policy import Terms
from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import Part
from shared.documents.sql import documents
from shared.documents.sql.documents import StoredDocument
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.errors import LongTermOff
from shared.kernel.events import DocumentAdded
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.memories.lock_learning import lock_learning
from shared.memories.write import PART, MemorySource, NewMemory, begin_memories
from shared.outbox.job_kinds import MEMORY_INDEX
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Work

IMPORTANCE: Final = 5


def add_document(
    tx: Transaction,
    subject: Subject,
    parts: Sequence[Part],
    *,
    title: str,
    media_type: MediaType,
    size: int,
    pages: int | None,
    project_id: str | None,
    terms: Terms,
    actor: str,
) -> UUID:
    """Store a document and queue the copies of its parts; return its id.

    The parts are not compared with what is remembered, belong to no context but the one a search finds them for, and
    are never evidence of a trait.

    Raises:
        LongTermOff: long-term memory is off.
        SubjectBusy: the fence could not be taken in time.
    """
    subject = lock_learning(tx, subject)
    if not allows(tx, subject.id, "remember", terms=terms):
        raise LongTermOff
    document_id, now = new_id(), tx.now()
    memories = [new_id() for _ in parts]
    documents.add(
        tx,
        subject,
        StoredDocument(
            id=document_id,
            title=title,
            media_type=media_type,
            size=size,
            pages=pages,
            parts=len(parts),
            created_at=now,
        ),
        [(memory_id, part.page) for memory_id, part in zip(memories, parts, strict=True)],
    )
    added = DocumentAdded(media_type=media_type, size=size, pages=pages, parts=len(parts))
    event_log.append(tx, subject, document_id, [added], actor=actor)
    begin_memories(
        tx,
        subject,
        {
            memory_id: NewMemory(
                text=part.text,
                content_type="document",
                scope="project" if project_id else "global",
                project_id=project_id,
                origin="stated",
                method=PART,
                importance=IMPORTANCE,
                spoken_at=now,
                sources=(MemorySource(kind="document", id=document_id),),
            )
            for memory_id, part in zip(memories, parts, strict=True)
        },
        actor=actor,
    )
    work = [Work(kind=MEMORY_INDEX, payload={"memory_id": str(one)}, dedupe_key=str(one)) for one in memories]
    outbox.add(tx, subject.id, work)
    return document_id
