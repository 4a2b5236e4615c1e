"""A behavior and its opposite that each hold in a context of their own: one trait that says where (TR-06, TR-07)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from statistics import fmean
from typing import Any, Final
from uuid import UUID

from shared.traits.rules.confidence import BEHAVIOR_SURE, DISSOLVED_BELOW, TREND_SURE, Grade, stage_of
from shared.traits.rules.lives import SPLIT_ITEMS, Life, certainty, confidence_at, life_of, trait_of
from shared.traits.rules.types import Cycle, Known, Observation, Step, Tendency, Trait

SPLIT_SHARE: Final = 3
"""How many times as often as its opposite it must be observed there."""
_ABSORBED: Final[Mapping[str, Any]] = {
    "stage": "dissolved",
    "window": None,
    "contradictions": 0,
    "supporting": (),
    "contradicting": (),
    "overruled": False,
}
"""Of a behavior that became a tendency of its opposite: the evidence is the pair's."""


def tendencies(lives: Mapping[str, Life], since: datetime | None = None) -> dict[str, str]:
    """Return which of a pair holds in which context; nothing unless each holds in one, at the same time.

    One of them has the evidence of a behavior; of the other, two pieces from a context of its own are enough.

    Args:
        since: only evidence after this counts, because the person said then what holds everywhere.
    """
    found = {key: [one for one in life.items if since is None or one.at > since] for key, life in lives.items()}
    if not _are_beside(list(found.values())):
        return {}
    counts = {key: Counter(one.context for one in items if one.context != "general") for key, items in found.items()}
    where: dict[str, str] = {}
    for label in sorted({label for count in counts.values() for label in count}):
        [(most, many), (_, few)] = sorted(((key, counts[key][label]) for key in counts), key=lambda one: -one[1])
        if many >= SPLIT_ITEMS and many >= SPLIT_SHARE * few:
            where[label] = most
    return where if set(where.values()) == set(lives) else {}


def _are_beside(found: Sequence[Sequence[Observation]]) -> bool:
    """Return whether there is enough evidence of both of a pair, from the same time."""
    if len(found) != 2 or not all(found):  # noqa: PLR2004 # a pair
        return False
    first, second = found
    sure = certainty(first), certainty(second)
    if max(sure) < BEHAVIOR_SURE or min(sure) < TREND_SURE:
        return False
    return first[0].at <= second[-1].at and second[0].at <= first[-1].at


def turned(lives: Mapping[str, Life], held: Sequence[Observation], key: str, label: str) -> bool:
    """Return whether at least as much speaks against a tendency in a context as for it.

    Args:
        held: what was found since the pair was split.
    """
    [other] = lives.keys() - {key}
    there = [one for life in lives.values() for one in life.items if one.context == label]
    there += [one for one in held if not one.shows and one.context == label]
    against = sum(one.key == (other if one.shows else key) for one in there)
    return 2 * against >= len(there)


def traits(
    lives: Mapping[str, Life], split: Mapping[str, str], at: Cycle, known: Known, now: datetime, *, steps: bool
) -> list[tuple[str, Trait]]:
    """Return the pair as one trait with a tendency in each context; of the other nothing is left of its own."""
    known = decided_together(lives, known)
    owner = owner_of(lives)
    alone = _alone(lives, split, at, used=sum(map(partial(_is_use, since=at), lives[owner].steps)))
    holding = {
        label: Tendency(key=key, confidence=round(confidence_at(alone[key], known, now) or 0.0, 6))
        for label, key in sorted(split.items())
    }
    confidence = fmean(one.confidence for one in holding.values())
    ended = confidence < DISSOLVED_BELOW
    trait = trait_of(lives[owner], known, now, steps=False)
    contextual = replace(
        trait,
        stage="dissolved" if ended else stage_of(confidence),
        confidence=confidence,
        base=fmean(alone[one.key].base or 0.0 for one in holding.values()),
        context="contextual",
        contexts=holding,
        window=None,
        first_observed=min(life.items[0].at for life in lives.values()),
        last_reinforced=max(life.items[-1].at for life in lives.values()),
        reinforcements=sum(life.reinforcements for life in alone.values()),
        contradictions=0,
        supporting=_evidence(lives),
        contradicting=(),
        steps=_told(lives) if steps else (),
    )
    others = [life for key, life in lives.items() if key != owner and life.first is not None]
    absorbed = [replace(trait_of(life, known, now, steps=False), **_ABSORBED) for life in others]
    return [(owner, contextual), *((one.key, one) for one in absorbed)]


def _alone(lives: Mapping[str, Life], split: Mapping[str, str], at: Cycle, *, used: int) -> dict[str, Life]:
    """Return each tendency with what was found where it holds."""
    return {
        key: life_of(life, [one for one in life.items if split.get(one.context, key) == key], at, used=used)
        for key, life in lives.items()
    }


def _is_use(step: Step, *, since: Cycle) -> bool:
    return step.change == "recalled" and step.at > since.at


def owner_of(lives: Mapping[str, Life]) -> str:
    """Return under which of the two keys a pair is one trait: the one observed first."""
    return min(lives, key=lambda key: (lives[key].items[0].at, key))


def decided_together(lives: Mapping[str, Life], known: Known) -> Known:
    """Return what is known with the person's decision about the pair, which is about both its tendencies."""
    decision = known.decisions.get(owner_of(lives))
    return (
        known if decision is None else replace(known, decisions={**known.decisions, **dict.fromkeys(lives, decision)})
    )


def _told(lives: Mapping[str, Life]) -> tuple[Step, ...]:
    steps = [step for life in lives.values() for step in life.steps]
    return tuple(sorted(steps, key=lambda step: step.at))


def _evidence(lives: Mapping[str, Life]) -> tuple[tuple[UUID, Grade], ...]:
    """Return the evidence of both, with grades, in the order of time."""
    pairs = [pair for life in lives.values() for pair in zip(life.items, life.grades, strict=True)]
    return tuple(grade for _, grade in sorted(pairs, key=lambda pair: (pair[0].at, pair[0].id)))
