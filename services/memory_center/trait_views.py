"""Traits as response bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import cast, get_args

from services.memory_center.memory_schemas import MemoryEmotion
from services.memory_center.trait_schemas import (
    PieceOut,
    RefusedOut,
    SupportOut,
    TendencyOut,
    TraitContext,
    TraitEventOut,
    TraitEvidenceOut,
    TraitExplanationOut,
    TraitHistoryOut,
    TraitOut,
    ValidWindowOut,
)
from shared.kernel.event_log import Happened
from shared.language.script import Language, language_of
from shared.traits.catalogue import catalogue, entry_of
from shared.traits.queries.portraits import Explained, Supported
from shared.traits.rules.confidence import REINFORCEMENT, decayed
from shared.traits.save import sentence
from shared.traits.sql.evidence import Piece
from shared.traits.sql.traits import StoredTrait


def trait_out(found: Supported) -> TraitOut:
    """Return a trait with its evidence."""
    trait = found.trait
    language = language_of(trait.text)
    support = {
        side: [SupportOut(id=one.source_id, quality=one.grade) for one in found.evidence if one.side == side]
        for side in ("supporting", "contradicting")
    }
    supporting = [one for one in found.evidence if one.side == "supporting"]
    return TraitOut(
        id=trait.id,
        content=trait.text,
        wordings=None if trait.edited else wordings(trait),
        trait_key=trait.trait_key,
        trait_subtype=trait.subtype,
        trait_stage=trait.stage,
        confidence=confidence_now(trait),
        valid_window=ValidWindowOut(start=trait.valid_from, end=trait.valid_until)
        if trait.valid_from and trait.valid_until
        else None,
        context=cast("TraitContext", trait.context),
        contexts={
            label: TendencyOut(tendency=entry_of(key).sentence(language), confidence=confidence)
            for label, (key, confidence) in trait.contexts.items()
        }
        or None,
        chosen_context=trait.chosen_context,
        first_observed=trait.first_observed,
        last_reinforced=trait.last_reinforced,
        reinforcement_count=trait.reinforcement_count,
        contradiction_count=trait.contradiction_count,
        conversations=len({one.conversation_id or one.source_id for one in supporting}),
        derived_from=trait.derived_from,
        importance=trait.importance,
        emotion=MemoryEmotion(**asdict(found.emotion)) if found.emotion else None,
        confirmed=trait.confirmed_at is not None,
        edited=trait.edited,
        used=trait.used,
        evidence=TraitEvidenceOut(
            **support,
            child_traits=list(trait.children),
            parent_trait=trait.parents[0] if trait.parents else None,
            parent_traits=list(trait.parents),
        ),
        reflection_cycle_ids=list(dict.fromkeys(one.cycle_id for one in found.evidence if one.cycle_id is not None)),
        version=trait.version,
        created_at=trait.created_at,
        updated_at=trait.updated_at,
    )


def confidence_now(trait: StoredTrait) -> float | None:
    """Return the confidence of a trait at this moment; what the person confirmed does not decay.

    One that differs by context has that of the last reflection: each of its tendencies decays from a time of its own.
    """
    if trait.base_confidence is None or trait.confirmed_at is not None or trait.stage == "dissolved" or trait.contexts:
        return trait.confidence
    days = (datetime.now(UTC) - trait.last_reinforced).total_seconds() / 86_400
    now = decayed(trait.base_confidence, trait.subtype, days=days, reinforcements=trait.reinforcement_count)
    return round(now, 6)


def wordings(trait: StoredTrait) -> dict[str, str] | None:
    """Return the catalogue's sentences of a trait in each language; None if it no longer has them."""
    if trait.trait_key not in catalogue():
        return None
    tendencies = {label: key for label, (key, _) in trait.contexts.items()}
    return {one: sentence(trait.trait_key, tendencies, trait.qualified, one) for one in get_args(Language)}


def explanation_out(found: Explained) -> TraitExplanationOut:
    """Return why a trait is inferred."""
    return TraitExplanationOut(
        trait=trait_out(found.trait),
        evidence=[_piece(one) for one in found.pieces],
        children=[trait_out(one) for one in found.children],
        parents=[trait_out(one) for one in found.parents],
    )


def events_out(happened: Sequence[Happened]) -> TraitHistoryOut:
    """Return how a trait grew; times are those of the reflections."""
    return TraitHistoryOut(
        events=[
            TraitEventOut(type=one.type, at=one.data.get("at", one.at), actor=one.actor, data=one.data)
            for one in happened
        ]
    )


def refused_out(key: str) -> RefusedOut:
    """Return a refused trait by its sentences."""
    entry = entry_of(key)
    return RefusedOut(trait_key=key, wordings={"en": entry.en, "zh": entry.zh})


def _piece(piece: Piece) -> PieceOut:
    one = piece.evidence
    return PieceOut(
        id=one.observation_id,
        source_kind=one.source_kind,
        source_id=one.source_id,
        conversation_id=one.conversation_id,
        side=one.side,
        quality=one.grade,
        weight=REINFORCEMENT[one.grade] if one.grade else None,
        form=one.form,
        context=one.context,
        quote=piece.quote,
        at=one.at,
    )
