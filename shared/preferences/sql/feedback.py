"""Feedback on answers, as actions or ratings (MC-01)."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sqlalchemy import func, null, select

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.preferences.sql.tables import visible_feedback

AS_DERIVED: Final = select(
    visible_feedback.c.id,
    func.coalesce(visible_feedback.c.action, "rating").label("label"),
    null().label("content"),
    visible_feedback.c.recorded_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""


def add(
    tx: Transaction,
    subject: Subject,
    feedback_id: UUID,
    *,
    conversation_id: UUID | None,
    message_id: UUID | None,
    at_seq: int | None,
    action: str | None,
    rating: int | str | None,
    evidence_ref: str | None,
    related_object_ref: str | None,
    comment: str | None,
    reason: str | None,
) -> None:
    """Store feedback; references, comments and reasons are content. A rating is a number or a word."""
    tx.run(
        """
        with kept as (
          insert into feedback (id, subject_id, generation, conversation_id, message_id, at_seq, action, rating,
                                rating_word)
          values (:id, :subject, :generation, :conversation, :message, :at_seq, :action, :rating, :rating_word)
          returning id
        )
        insert into feedback_contents (feedback_id, evidence_ref, related_object_ref, comment, reason)
        select id, :evidence_ref, :related_object_ref, :comment, :reason from kept
        """,
        id=feedback_id,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        message=message_id,
        at_seq=at_seq,
        action=action,
        rating=rating if isinstance(rating, int) else None,
        rating_word=rating if isinstance(rating, str) else None,
        evidence_ref=evidence_ref,
        related_object_ref=related_object_ref,
        comment=comment,
        reason=reason,
    )
