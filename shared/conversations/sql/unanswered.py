"""Conversations whose last message nobody answered."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


def find(tx: Transaction, *, idle: timedelta, limit: int) -> list[tuple[UUID, UUID]]:
    """Return people and conversations whose last message nobody answered for so long, the longest first.

    What waits for more than a week longer is left alone: nobody expects to have it learned now.
    """
    rows = tx.rows(
        """
        select subject_id, id from conversations
        where turn_open and turn_has_user and erased_at is null and updated_at < now() - cast(:idle as interval)
          and updated_at > now() - cast(:idle as interval) - interval '7 days'
        order by updated_at limit :limit
        """,
        idle=idle,
        limit=limit,
    )
    return [(row["subject_id"], row["id"]) for row in rows]


def is_still(tx: Transaction, subject: Subject, conversation_id: UUID, *, idle: timedelta) -> bool:
    """Return whether that holds for a visible conversation."""
    found: bool = tx.value(
        """
        select exists (select from visible_conversations v join conversations c on c.id = v.id
          where c.id = :id and c.subject_id = :subject and c.turn_open and c.turn_has_user
            and c.updated_at < now() - cast(:idle as interval))
        """,
        id=conversation_id,
        subject=subject.id,
        idle=idle,
    )
    return found
