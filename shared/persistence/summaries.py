"""Rolling summaries (MC-03)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The newest visible summary of a conversation."""

    text: str
    version: int
    covered_message_count: int
    updated_at: datetime | None


def newest(tx: Transaction, conversation_id: UUID) -> Summary | None:
    """Return the newest visible summary, if any."""
    row = tx.row(
        """
        select text, version, covered_message_count, updated_at from visible_summaries
        where conversation_id = :conversation order by version desc limit 1
        """,
        conversation=conversation_id,
    )
    return Summary(**row) if row else None


def add(
    tx: Transaction,
    subject: Subject,
    summary_id: UUID,
    conversation_id: UUID,
    *,
    text: str,
    version: int,
    covered: tuple[int, int],
    count: int,
) -> None:
    """Store a version of a conversation's summary covering message seqs `covered` (both ends included)."""
    tx.run(
        """
        with kept as (
          insert into summaries (id, subject_id, generation, conversation_id, version, covered_from, covered_through,
                                 covered_message_count)
          values (:id, :subject, :generation, :conversation, :version, :first, :last, :count) returning id
        )
        insert into summary_contents (summary_id, text) select id, :text from kept
        """,
        id=summary_id,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        version=version,
        first=covered[0],
        last=covered[1],
        count=count,
        text=text,
    )
