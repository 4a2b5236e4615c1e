"""Candidates for training: made only with consent, pending for ever, withdrawn with it (FC-09)."""

from __future__ import annotations

from uuid import UUID

from shared.contexts.sql import candidates
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import CandidateMade, CandidateRevoked
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject


def make_candidate(
    tx: Transaction,
    subject: Subject,
    object_ref: str,
    *,
    consent_id: UUID,
    conversation_id: UUID | None,
    at_seq: int | None,
    actor: str,
) -> None:
    """Note that an object might be used one day; nothing of it is copied."""
    id_ = new_id()
    candidates.add(tx, subject, id_, object_ref, consent_id=consent_id, conversation_id=conversation_id, at_seq=at_seq)
    event_log.append(tx, subject, id_, [CandidateMade()], actor=actor)


def revoke_candidates(tx: Transaction, subject: Subject, *, actor: str) -> int:
    """Withdraw all candidates of a person; return how many."""
    revoked = candidates.revoke(tx, subject)
    for id_ in revoked:
        event_log.append(tx, subject, id_, [CandidateRevoked()], actor=actor)
    return len(revoked)
