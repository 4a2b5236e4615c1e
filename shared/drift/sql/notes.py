"""What a thread held and when: its theses, and its questions that were resolved or reopened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import ARRAY, Text, any_, bindparam, select

from shared.drift.rules import ObjectType
from shared.drift.sql.tables import visible_thread_notes
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

NoteKind: TypeAlias = Literal["thesis", "resolved", "reopened"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note: `text` is a thesis, or the id of a question."""

    id: UUID
    conversation_id: UUID
    at_seq: int
    kind: NoteKind
    object_type: ObjectType | None
    object_ref: str | None
    text: str
    noted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A person's thread: a conversation with a thesis."""

    conversation_id: UUID
    title: str | None
    object_type: ObjectType | None


_NOTE: Final = (
    visible_thread_notes.c.id,
    visible_thread_notes.c.conversation_id,
    visible_thread_notes.c.at_seq,
    visible_thread_notes.c.kind,
    visible_thread_notes.c.object_type,
    visible_thread_notes.c.object_ref,
    visible_thread_notes.c.text,
    visible_thread_notes.c.noted_at,
)
_BY_ID: Final = select(*_NOTE).where(visible_thread_notes.c.id == bindparam("id"))
_OF_THREAD: Final = (
    select(*_NOTE)
    .where(
        visible_thread_notes.c.conversation_id == bindparam("conversation"),
        visible_thread_notes.c.kind == any_(bindparam("kinds", type_=ARRAY(Text))),
    )
    .order_by(visible_thread_notes.c.noted_at, visible_thread_notes.c.id)
)


def add(tx: Transaction, subject: Subject, note: Note) -> None:
    """Insert a note; its text and the object it is about are content."""
    tx.run(
        """
        with kept as (
          insert into thread_notes (id, subject_id, generation, conversation_id, at_seq, kind, object_type, noted_at)
          values (:id, :subject, :generation, :conversation, :at_seq, :kind, :object_type, :noted_at)
          returning id
        )
        insert into thread_note_contents (note_id, text, object_ref) select id, :text, :object_ref from kept
        """,
        id=note.id,
        subject=subject.id,
        generation=subject.generation,
        conversation=note.conversation_id,
        at_seq=note.at_seq,
        kind=note.kind,
        object_type=note.object_type,
        noted_at=note.noted_at,
        text=note.text,
        object_ref=note.object_ref,
    )


def of_thread(tx: Transaction, conversation_id: UUID, kinds: Sequence[NoteKind]) -> list[Note]:
    """Return the visible notes of a thread, oldest first."""
    return [Note(**row) for row in tx.rows(_OF_THREAD, conversation=conversation_id, kinds=list(kinds))]


def newest_threads(tx: Transaction, subject_id: UUID, *, limit: int, since: UUID | None = None) -> list[Thread]:
    """Return a person's newest threads with what each is about, the one noted last first.

    Args:
        since: only what was noted after this id was made.
    """
    rows = tx.rows(
        """
        select n.conversation_id, v.title,
               (array_agg(n.object_type order by n.id desc) filter (where n.object_type is not null))[1] as object_type
        from visible_thread_notes n join visible_conversations v on v.id = n.conversation_id
        where n.subject_id = :subject and n.kind = 'thesis' and (cast(:since as uuid) is null or n.id > :since)
        group by n.conversation_id, v.title order by max(n.noted_at) desc, n.conversation_id desc limit :limit
        """,
        subject=subject_id,
        since=since,
        limit=limit,
    )
    return [Thread(**row) for row in rows]


def to_scan(tx: Transaction, *, after: timedelta, limit: int) -> list[tuple[UUID, UUID]]:
    """Return reopened questions that are due to be looked at, each as person and note."""
    rows = tx.rows(
        """
        select subject_id, id from thread_notes
        where kind = 'reopened' and scanned_at is null and noted_at <= now() - :after order by noted_at limit :limit
        """,
        after=after,
        limit=limit,
    )
    return [(row["subject_id"], row["id"]) for row in rows]


def read(tx: Transaction, note_id: UUID) -> Note | None:
    """Return a visible note."""
    row = tx.row(_BY_ID, id=note_id)
    return Note(**row) if row else None


def mark_scanned(tx: Transaction, note_id: UUID) -> None:
    tx.run("update thread_notes set scanned_at = now() where id = :id", id=note_id)
