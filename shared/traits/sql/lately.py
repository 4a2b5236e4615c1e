"""What a person wrote lately, as traits are measured on it and worded after it (TR-02)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.traits.sql.observations import Source

RECENT: Final = 20
MEASURED_MESSAGES: Final = 40
"""Messages at the end of a conversation that are measured, those of the assistant included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentConversation:
    """A person's own messages of one conversation that may be learned from, oldest first."""

    sources: tuple[Source, ...]
    texts: tuple[str, ...]
    times: tuple[datetime, ...]


def recent_texts(tx: Transaction, subject: Subject) -> list[str]:
    """Return the newest messages that show something about the person."""
    rows = tx.rows(
        """
        with newest as materialized (
          select source_id from visible_trait_observations
          where subject_id = :subject and generation = :generation and source_kind = 'message'
          order by id desc limit :limit
        )
        select m.text from newest n join visible_messages m on m.id = n.source_id
        """,
        subject=subject.id,
        generation=subject.generation,
        limit=RECENT,
    )
    return [row["text"] for row in rows]


def recent_conversations(
    tx: Transaction, subject: Subject, conversation_id: UUID, *, since: datetime, limit: int
) -> list[RecentConversation]:
    """Return up to `limit` conversations, oldest first: this one, and those that ended before it.

    Args:
        since: nothing recorded before is read.
    """
    rows = tx.rows(
        """
        with recent as (
          select conversation_id, max(seq) as last, max(spoken_at) as at from visible_messages m
          where subject_id = :subject and generation = :generation and role = 'user' and learn and completed
            and recorded_at > :since
            and exists (select from visible_conversations c where c.id = m.conversation_id and c.remember)
          group by conversation_id
          having max(spoken_at) <= (select max(spoken_at) from visible_messages
                                    where conversation_id = :conversation and role = 'user' and learn)
          order by max(spoken_at) desc, conversation_id desc limit :limit
        )
        select r.conversation_id, m.seq, m.id, m.text, m.spoken_at from recent r
        join visible_messages m on m.conversation_id = r.conversation_id and m.role = 'user' and m.learn and m.completed
          and m.seq > r.last - :messages and m.recorded_at > :since
          and not exists (select from unlearnable_spans u where u.message_id = m.id)
        order by r.at, r.conversation_id, m.seq
        """,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        since=since,
        limit=limit,
        messages=MEASURED_MESSAGES,
    )
    found: list[RecentConversation] = []
    for _, group in groupby(rows, key=lambda row: row["conversation_id"]):
        said = list(group)
        found.append(
            RecentConversation(
                sources=tuple(
                    Source(
                        kind="message",
                        id=row["id"],
                        conversation_id=row["conversation_id"],
                        at_seq=row["seq"],
                        at=row["spoken_at"],
                    )
                    for row in said
                ),
                texts=tuple(row["text"] for row in said),
                times=tuple(row["spoken_at"] for row in said),
            )
        )
    return found
