"""Feedback with words, from which traits are read as well (TR-02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.traits.sql.observations import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Feedback with words: what was picked from the list of reasons, or written."""

    source: Source
    text: str


AT_ONCE: Final = 50


def unread(tx: Transaction, subject: Subject) -> list[Note]:
    """Return feedback with words, given since the last reflection, that no observation is read from."""
    rows = tx.rows(
        """
        select f.id, f.conversation_id, c.next_seq, f.recorded_at, coalesce(f.reason, f.comment, f.evidence_ref) as text
        from visible_feedback f left join visible_conversations c on c.id = f.conversation_id
        where f.subject_id = :subject and f.generation = :generation
          and coalesce(f.reason, f.comment, f.evidence_ref) is not null and (c.id is null or c.remember)
          and f.recorded_at > coalesce((select max(r.recorded_at) from reflections r
            where r.subject_id = :subject and r.generation = :generation), '-infinity')
          and not exists (select from trait_observations o where o.source_id = f.id)
        order by f.id limit :limit
        """,
        subject=subject.id,
        generation=subject.generation,
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


def visible(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Return which of these pieces of feedback are visible now."""
    return {row["id"] for row in tx.rows("select id from visible_feedback where id = any(:ids)", ids=list(ids))}
