"""The evidence of traits: what was observed, where it was read, and what it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.traits.rules.confidence import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A piece of evidence: the observation, what it was read from, and what it weighs."""

    observation_id: UUID
    source_kind: str
    source_id: UUID
    conversation_id: UUID | None
    side: str
    grade: Grade | None
    form: str
    context: str
    at: datetime
    cycle_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of evidence with what was said; None for feedback without words."""

    evidence: Evidence
    quote: str | None


def evidence(tx: Transaction, trait_ids: Sequence[UUID]) -> dict[UUID, list[Evidence]]:
    """Return the visible evidence of these traits, oldest first."""
    rows = tx.rows(
        """
        select trait_id, observation_id, source_kind, source_id, conversation_id, side, grade, form, context,
               observed_at as at, cycle_id
        from visible_trait_evidence where trait_id = any(:ids) order by observed_at, observation_id
        """,
        ids=list(trait_ids),
    )
    found: dict[UUID, list[Evidence]] = {}
    for row in rows:
        members = dict(row)
        found.setdefault(members.pop("trait_id"), []).append(Evidence(**members))
    return found


def pieces(tx: Transaction, trait_id: UUID, *, quote_max: int) -> list[Piece]:
    """Return the visible evidence of a trait with the beginning of what was said, oldest first."""
    rows = tx.rows(
        """
        select left(coalesce(m.text, u.text, f.reason, f.comment, f.evidence_ref), :most) as quote,
               e.observation_id as id
        from visible_trait_evidence e
        left join visible_messages m on e.source_kind = 'message' and m.id = e.source_id
        left join visible_memories u on e.source_kind = 'memory' and u.id = e.source_id
        left join visible_feedback f on e.source_kind = 'feedback' and f.id = e.source_id
        where e.trait_id = :id
        """,
        id=trait_id,
        most=quote_max,
    )
    quotes = {row["id"]: row["quote"] for row in rows}
    found = evidence(tx, [trait_id]).get(trait_id, [])
    return [Piece(evidence=one, quote=quotes.get(one.observation_id)) for one in found]
