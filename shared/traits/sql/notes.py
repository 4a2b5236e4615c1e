"""Feedback with words, and memories that the person wrote or confirmed: traits are read from both (TR-02, TR-08)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.traits.sql import asking
from shared.traits.sql.observations import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What was picked from the list of reasons or written as feedback, or a memory that the person stands by.

    Args:
        project: whether it belongs to a project.
        said: of a memory, the messages it was learned from.
    """

    source: Source
    text: str
    project: bool
    said: tuple[str, ...] = ()


AT_ONCE: Final = 50
COMMITTED: Final = timedelta(seconds=30)
"""Within it everything is committed that has an earlier time: longer than our transactions may last."""


def unread(tx: Transaction, subject: Subject, *, after: datetime | None = None) -> list[Note]:
    """Return a page of the person's notes that were not read yet, oldest first, with all that have the last one's time.

    Of feedback its own words are read, not the answer it is about (`evidence_ref`), which is the assistant's. A memory
    is read if its person wrote its text or confirmed it, and counts from then on. Memories that only a service wrote
    are left out, as they may be the assistant's words, and so are memories that newer ones replaced, and parts of
    documents, whoever edited or confirmed them: what stands in a document is no evidence (TR-12).

    Args:
        after: the time of the last note of the page before.
    """
    since = asking.since(tx, subject)
    rows = tx.rows(
        """
        with stated as (
          select m.id, max(e.at) as at, bool_or(v.was_read) as was_read
          from visible_memories m cross join lateral (
            with recursive version (id, supersedes) as (
              select m.id, m.supersedes
              union all
              select p.id, p.supersedes from version v
              join visible_memories p on p.id = v.supersedes and p.text = m.text
            )
            select v.id, not exists (select from version w where w.id = v.supersedes) as first,
                   exists (select from trait_observations o where o.source_id = v.id) as was_read
            from version v
          ) v
          join events e on e.stream = 'memory:' || v.id and e.actor = 'person'
            and (e.type = 'MemoryConfirmed' or (e.type = 'MemoryLearned' and v.first))
          where m.subject_id = :subject and m.generation = :generation and not m.disabled and not m.archived
            and ((m.method = 'person' and m.created_at > :after) or m.confirmed)
            and m.id not in (select superseded_memories(:subject))
            and not exists (select from trait_observations o where o.source_id = m.id)
            and m.content_type <> 'document' and m.id not in (select memory_id from visible_document_parts)
          group by m.id
        )
        select 'feedback' as kind, f.id, f.conversation_id, c.next_seq, c.project_id, f.recorded_at as at,
               coalesce(f.reason, f.comment) as text, cast(array[] as text[]) as said
        from visible_feedback f left join visible_conversations c on c.id = f.conversation_id
        where f.subject_id = :subject and f.generation = :generation
          and coalesce(f.reason, f.comment) is not null and (c.id is null or c.remember)
          and f.recorded_at > :after and not exists (select from trait_observations o where o.source_id = f.id)
        union all
        select 'memory', m.id, c.id, c.next_seq, coalesce(m.project_id, c.project_id), s.at, m.text,
               array(select v.text from lineage l join visible_messages v on v.id = l.source_id
                     where l.derived_kind = 'memory' and l.derived_id = m.id and l.source_kind = 'message'
                       and not l.context)
        from stated s join visible_memories m on m.id = s.id
        left join visible_conversations c on c.id = m.conversation_id
        where s.at > :after or (s.was_read and :first)  -- an older version with the same words was read
        order by at fetch first (:limit) rows with ties
        """,
        limit=AT_ONCE,
        subject=subject.id,
        generation=subject.generation,
        after=max(after or since, since, _read(tx, subject) - COMMITTED),
        first=after is None,
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
            project=row["project_id"] is not None,
            said=tuple(row["said"]),
        )
        for row in rows
    ]


def _read(tx: Transaction, subject: Subject) -> datetime:
    """Return the time of the newest note that was read."""
    found: datetime = tx.value(
        """
        select greatest(to_timestamp(86400), (select notes_read from trait_questions
          where subject_id = :subject and generation = :generation))
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return found


def note_read(tx: Transaction, subject: Subject, through: datetime) -> None:
    """Store that all notes until this time were read."""
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


def holding(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> set[UUID]:
    """Return which of these notes are visible, and of memories only those in force."""
    rows = tx.rows(
        """
        select id from visible_feedback where id = any(:ids)
        union all
        select id from visible_memories
        where id = any(:ids) and not disabled and id not in (select superseded_memories(:subject))
        """,
        subject=subject.id,
        ids=list(ids),
    )
    return {row["id"] for row in rows}
