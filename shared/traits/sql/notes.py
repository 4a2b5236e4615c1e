"""Feedback with words, from which traits are read as well (TR-02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.traits.sql import asking
from shared.traits.sql.observations import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Feedback with words: what was picked from the list of reasons, or written."""

    source: Source
    text: str


AT_ONCE: Final = 50


def unread(tx: Transaction, subject: Subject) -> list[Note]:
    """Return feedback with words of the person that was not read yet, oldest first.

    What feedback is about (`evidence_ref`) is not read: it may be the assistant's words.
    """
    rows = tx.rows(
        """
        select f.id, f.conversation_id, c.next_seq, f.recorded_at, coalesce(f.reason, f.comment) as text
        from visible_feedback f left join visible_conversations c on c.id = f.conversation_id
        where f.subject_id = :subject and f.generation = :generation
          and coalesce(f.reason, f.comment) is not null and (c.id is null or c.remember)
          and f.recorded_at > greatest(:since, (select q.notes_read from trait_questions q
            where q.subject_id = :subject and q.generation = :generation))
          and not exists (select from trait_observations o where o.source_id = f.id)
        order by f.recorded_at, f.id limit :limit
        """,
        subject=subject.id,
        generation=subject.generation,
        since=asking.since(tx, subject),
        limit=AT_ONCE,
    )
    return [
        Note(
            source=Source(
                kind="feedback",
                id=row["id"],
                conversation_id=row["conversation_id"],
                at_seq=row["next_seq"],
                at=row["recorded_at"],
            ),
            text=row["text"],
        )
        for row in rows
    ]


def note_read(tx: Transaction, subject: Subject, through: datetime) -> None:
    """Note that feedback recorded until then was read."""
    tx.run(
        """
        insert into trait_questions (subject_id, generation, notes_read) values (:subject, :generation, :through)
        on conflict (subject_id, generation) do update
          set notes_read = greatest(trait_questions.notes_read, excluded.notes_read)
        """,
        subject=subject.id,
        generation=subject.generation,
        through=through,
    )


def visible(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Return which of these pieces of feedback are visible now."""
    return {row["id"] for row in tx.rows("select id from visible_feedback where id = any(:ids)", ids=list(ids))}
