"""What might be used for training one day: references with consent (FC-09)."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


def add(
    tx: Transaction,
    subject: Subject,
    candidate_id: UUID,
    object_ref: str,
    *,
    consent_id: UUID,
    conversation_id: UUID | None,
    at_seq: int | None,
) -> None:
    """Insert a candidate; its reference is content."""
    tx.run(
        """
        with kept as (
          insert into training_candidates (id, subject_id, generation, status, withdrawal_status, conversation_id,
                                           at_seq, consent_id, created_at)
          values (:id, :subject, :generation, 'pending', 'none', :conversation, :at_seq, :consent, now())
          returning id
        )
        insert into training_candidate_contents (candidate_id, object_ref) select id, :object_ref from kept
        """,
        id=candidate_id,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        at_seq=at_seq,
        consent=consent_id,
        object_ref=object_ref,
    )


def revoke(tx: Transaction, subject: Subject) -> list[UUID]:
    """Revoke all candidates of a person; return those that were not revoked before."""
    rows = tx.rows(
        """
        update training_candidates set withdrawal_status = 'revoked'
        where subject_id = :subject and generation = :generation and withdrawal_status = 'none' returning id
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return [row["id"] for row in rows]


def count_open(tx: Transaction, subject: Subject) -> int:
    """Return how many candidates of a person are not revoked."""
    number: int = tx.value(
        "select count(*) from visible_candidates where subject_id = :subject and withdrawal_status = 'none'",
        subject=subject.id,
    )
    return number
