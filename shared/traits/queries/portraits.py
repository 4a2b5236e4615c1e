"""Reads traits as people see them: with their evidence, why they are inferred, and how they grew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion
from shared.kernel.event_log import Happened
from shared.traits.sql import emotions, evidence, traits
from shared.traits.sql.evidence import Evidence, Piece
from shared.traits.sql.traits import StoredTrait

QUOTE_MAX = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported:
    """A trait with its visible evidence, and how its person felt about that, if the deployment says so."""

    trait: StoredTrait
    evidence: tuple[Evidence, ...]
    emotion: Emotion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Why a trait is inferred: its pieces with what was said, and the traits below and above it."""

    trait: Supported
    pieces: tuple[Piece, ...]
    children: tuple[Supported, ...]
    parents: tuple[Supported, ...]


def with_evidence(tx: Transaction, found: Sequence[StoredTrait], *, terms: Terms) -> list[Supported]:
    """Return these traits with their evidence."""
    ids = [one.id for one in found]
    pieces = evidence.evidence(tx, ids)
    felt = emotions.of_traits(tx, ids) if terms.emotions else {}
    return [Supported(trait=one, evidence=tuple(pieces.get(one.id, ())), emotion=felt.get(one.id)) for one in found]


def explain(tx: Transaction, subject_id: UUID, trait_id: UUID, *, terms: Terms) -> Explained | None:
    """Return why a trait is inferred; None if it is not this person's, or hidden."""
    stored = traits.read(tx, subject_id, trait_id)
    if stored is None:
        return None
    related = {one: traits.read(tx, subject_id, one) for one in (*stored.children, *stored.parents)}
    [trait] = with_evidence(tx, [stored], terms=terms)
    return Explained(
        trait=trait,
        pieces=tuple(evidence.pieces(tx, trait_id, quote_max=QUOTE_MAX)),
        children=tuple(with_evidence(tx, _there(related, stored.children), terms=terms)),
        parents=tuple(with_evidence(tx, _there(related, stored.parents), terms=terms)),
    )


def _there(related: Mapping[UUID, StoredTrait | None], ids: Iterable[UUID]) -> list[StoredTrait]:
    return [one for id_ in ids if (one := related[id_]) is not None]


def history(tx: Transaction, trait_id: UUID) -> list[Happened]:
    """Return what happened to a trait, oldest first."""
    return event_log.lives(tx, "trait", [trait_id])
