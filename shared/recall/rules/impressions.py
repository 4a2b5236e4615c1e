"""Which traits an assistant is told about, and in what order (TR-08). Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from shared.recall.rules.items import Group, Item, LeftOut, Provenance
from shared.recall.rules.state import Impression
from shared.traits.rules.confidence import BOOST, STABLE

FITTING_FROM: Final = 0.75
"""Least relevance for a habit to be told about."""
HABITS_MAX: Final = 5
IMPORTANCE_SHARE: Final = 0.1
RECENCY_SHARE: Final = 0.1
FRESH_DAYS: Final = 30.0
_SECONDS_PER_DAY: Final = 86_400.0
WHERE: Final = "global"


def stable_impressions(impressions: Sequence[Impression]) -> list[Item]:
    """Return the core traits and preferences for every context; they do not depend on the question (CN-07)."""
    return [
        _item(one, group=Group.CORE if one.subtype == "core" else Group.PREFERENCES)
        for one in impressions
        if is_stable(one)
    ]


def is_stable(one: Impression) -> bool:
    """Return whether a trait is told about whatever is asked: a preference or core trait that is established."""
    return one.subtype != "behavior" and one.stage in STABLE


def fitting_impressions(impressions: Sequence[Impression], *, now: datetime | None) -> list[Item | LeftOut]:
    """Return the habits, and the preferences and core traits that begin to show, that fit the question, best first.

    Those left out follow.

    Score: base · (1 + recency + importance + boost) with the relevance as base (taxonomy V2, 6.1). How the person wants
    answers always fits.
    """
    others = [one for one in impressions if not is_stable(one)]
    scored = [(one, 1.0 if one.always else one.relevance) for one in others]
    fitting = [(one, base) for one, base in scored if base is not None and base >= FITTING_FROM]
    ranked = sorted(fitting, key=lambda pair: (-_score(*pair, now=now), pair[0].id))
    told = [
        _item(one, group=Group.HABITS, base=base, total=_score(one, base, now=now)) for one, base in ranked[:HABITS_MAX]
    ]
    ids = {one.id for one in told}
    left_out = [
        LeftOut(
            id=one.id,
            kind="trait",
            type=one.subtype,
            why="limit" if any(one is fits for fits, _ in fitting) else "not_related",
        )
        for one in others
        if one.id not in ids
    ]
    return [*told, *left_out]


def _score(one: Impression, base: float, *, now: datetime | None) -> float:
    days = 0.0 if now is None else max(0.0, (now - one.last_reinforced).total_seconds() / _SECONDS_PER_DAY)
    recency = RECENCY_SHARE * max(0.0, 1 - days / FRESH_DAYS)
    return round(base * (1 + recency + IMPORTANCE_SHARE * one.importance / 10 + BOOST.get(one.stage, 0.0)), 4)


def _item(one: Impression, *, group: Group, base: float | None = None, total: float | None = None) -> Item:
    return Item(
        id=one.id,
        kind="trait",
        type=one.subtype,
        group=group,
        scope=WHERE,
        content=one.text,
        provenance=Provenance(at=one.last_reinforced),
        why="trait" if group is not Group.HABITS else "fitting_trait",
        updated_at=one.updated_at,
        total=total,
        scores={} if base is None else {"relevance": round(base, 4)},
        stage=one.stage,
        context=one.context,
    )
