"""Reads traits as people see them: with their evidence, why they are inferred, and how they grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.event_log import Happened
from shared.traits.sql import evidence, traits
from shared.traits.sql.evidence import Evidence, Piece
from shared.traits.sql.traits import StoredTrait

QUOTE_MAX = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported:
    """A trait with its visible evidence, and the time at which it was read."""

    trait: StoredTrait
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Why a trait is inferred: its pieces with what was said, and the traits below and above it."""

    trait: Supported
    pieces: tuple[Piece, ...]
    children: tuple[Supported, ...]
    parents: tuple[Supported, ...]


def with_evidence(tx: Transaction, found: Sequence[StoredTrait]) -> list[Supported]:
    """Return these traits with their evidence."""
    pieces = evidence.evidence(tx, [one.id for one in found])
    return [Supported(trait=one, evidence=tuple(pieces.get(one.id, ()))) for one in found]


def explain(tx: Transaction, subject_id: UUID, trait_id: UUID) -> Explained | None:
    """Return why a trait is inferred; None if it is not this person's, or hidden."""
    stored = traits.read(tx, subject_id, trait_id)
    if stored is None:
        return None
    related = {one: traits.read(tx, subject_id, one) for one in (*stored.children, *stored.parents)}
    [trait] = with_evidence(tx, [stored])
    return Explained(
        trait=trait,
        pieces=tuple(evidence.pieces(tx, trait_id, quote_max=QUOTE_MAX)),
        children=tuple(with_evidence(tx, [one for id_ in stored.children if (one := related[id_]) is not None])),
        parents=tuple(with_evidence(tx, [one for id_ in stored.parents if (one := related[id_]) is not None])),
    )


def history(tx: Transaction, trait_id: UUID) -> list[Happened]:
    """Return what happened to a trait, oldest first."""
    return event_log.lives(tx, "trait", [trait_id])
