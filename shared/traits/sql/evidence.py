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
        select e.trait_id, e.observation_id, o.source_kind, o.source_id, o.conversation_id, e.side, e.grade, o.form,
               o.context, o.observed_at as at, o.cycle_id
        from visible_trait_evidence e join visible_trait_observations o on o.id = e.observation_id
        where e.trait_id = any(:ids) order by o.observed_at, o.id
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
        select left(coalesce(m.text, u.text, f.reason, f.comment, f.evidence_ref), :most) as quote, o.id
        from visible_trait_evidence e join visible_trait_observations o on o.id = e.observation_id
        left join visible_messages m on o.source_kind = 'message' and m.id = o.source_id
        left join visible_memories u on o.source_kind = 'memory' and u.id = o.source_id
        left join visible_feedback f on o.source_kind = 'feedback' and f.id = o.source_id
        where e.trait_id = :id
        """,
        id=trait_id,
        most=quote_max,
    )
    quotes = {row["id"]: row["quote"] for row in rows}
    found = evidence(tx, [trait_id]).get(trait_id, [])
    return [Piece(evidence=one, quote=quotes.get(one.observation_id)) for one in found]
