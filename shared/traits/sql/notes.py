"""Feedback with words, and memories that the person wrote or confirmed: traits are read from both (TR-02, TR-08)."""

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
    """What was picked from the list of reasons or written as feedback, or a memory that the person stands by."""

    source: Source
    text: str


AT_ONCE: Final = 50


def unread(tx: Transaction, subject: Subject) -> list[Note]:
    """Return the person's notes that were not read yet, oldest first.

    What feedback is about (`evidence_ref`) is not read, nor a memory that a service wrote: they may be the assistant's
    words.
    """
    rows = tx.rows(
        """
        with after as (
          select greatest(:since, (select q.notes_read from trait_questions q
            where q.subject_id = :subject and q.generation = :generation)) as at
        )
        select 'feedback' as kind, f.id, f.conversation_id, c.next_seq, f.recorded_at as at,
               coalesce(f.reason, f.comment) as text
        from visible_feedback f cross join after left join visible_conversations c on c.id = f.conversation_id
        where f.subject_id = :subject and f.generation = :generation
          and coalesce(f.reason, f.comment) is not null and (c.id is null or c.remember)
          and f.recorded_at > after.at and not exists (select from trait_observations o where o.source_id = f.id)
        union all
        select 'memory', m.id, null, null, m.updated_at, m.text
        from visible_memories m cross join after
        where m.subject_id = :subject and m.generation = :generation and m.updated_at > after.at and not m.disabled
          and (m.method = 'person' or m.confirmed)
          and not exists (select from trait_observations o where o.source_id = m.id)
          and exists (select from events e where e.stream = 'memory:' || m.id and e.actor = 'person'
                        and e.type in ('MemoryLearned', 'MemoryConfirmed'))
        order by at, id limit :limit
        """,
        subject=subject.id,
        generation=subject.generation,
        since=asking.since(tx, subject),
        limit=AT_ONCE,
    )
    return [
        Note(
            source=Source(
                kind=row["kind"],
                id=row["id"],
                conversation_id=row["conversation_id"],
                at_seq=row["next_seq"],
                at=row["at"],
            ),
            text=row["text"],
        )
        for row in rows
    ]


def note_read(tx: Transaction, subject: Subject, through: datetime) -> None:
    """Note that what was recorded until then was read."""
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
    """Return which of these notes are visible now."""
    rows = tx.rows(
        """
        select id from visible_feedback where id = any(:ids)
        union all select id from visible_memories where id = any(:ids) and not disabled
        """,
        ids=list(ids),
    )
    return {row["id"] for row in rows}
