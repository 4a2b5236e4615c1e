"""The life of one trait while its evidence is read in order: grades, confidence, stage and history (TR-03 to TR-06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from shared.traits.rules.confidence import (
    BEHAVIOR_CONFIDENCE,
    BEHAVIOR_ITEMS,
    DISSOLVED_BELOW,
    RECALLED,
    REVIEWED_ABOVE,
    SUREST_FROM,
    Grade,
    Stage,
    decayed,
    reinforced,
    stage_of,
)
from shared.traits.rules.types import Change, Cycle, Decision, Known, Observation, Pattern, Step, Trait

SPLIT_ITEMS: Final = 2
"""Least observations of a tendency in a context for it to be the tendency there."""
DAY: Final = timedelta(days=1)
SCATTERED: Final = 1.5
"""How many times as many labelled observations another context needs for one context to stand for a trait."""


@dataclass(slots=True)
class Life:
    """One behavior while its observations are read in order."""

    pattern: Pattern
    items: list[Observation] = field(default_factory=list)
    grades: list[tuple[UUID, Grade]] = field(default_factory=list)
    against: list[Observation] = field(default_factory=list)
    occasions: set[UUID] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    base: float | None = None
    window: tuple[datetime, datetime] | None = None
    dissolved: bool = False
    was_trend: bool = False
    renewed: int = 0
    """How many reflections found more of it while it was a trend."""
    formed: bool = False
    """Whether there was enough evidence for it to be told."""
    fresh: int = 0
    """Where the observations begin that count: earlier ones belong to a trait that was dissolved."""
    first: datetime | None = None
    last: datetime | None = None
    reinforcements: int = 0
    steps: list[Step] = field(default_factory=list)
    stage: Stage | None = None

    seen_where: tuple[int, str] | None = None
    """How many observations the context was computed from, and the context."""

    @property
    def alive(self) -> bool:
        return not self.dissolved and (self.base is not None or self.window is not None)

    def context(self) -> str:
        """Return where it was seen."""
        items = self.items[self.fresh :] or self.items
        if self.seen_where is None or self.seen_where[0] != len(items):
            self.seen_where = (len(items), _context_of(items))
        return self.seen_where[1]


def grade_of(one: Observation, life: Life) -> Grade:
    """Return the grade of a piece of evidence, given the pieces before it (TR-05)."""
    if one.form == "stated" and not _stated_there(one, life):
        return "B"
    if one.form == "signal":
        return "D"
    if one.occasion in life.occasions:
        return "D"
    return "A" if one.context != "general" and life.places and one.context not in life.places else "C"


def _stated_there(one: Observation, life: Life) -> bool:
    """Return whether the same conversation said so before: who repeats themselves in it says it once (TR-05)."""
    if one.occasion not in life.occasions:
        return False
    return any(before.form == "stated" and before.occasion == one.occasion for before in life.items)


def certainty(items: Sequence[Observation]) -> float:
    """Return how sure pieces are together: the surest of each conversation added up, 0 if none is sure enough."""
    best: dict[UUID, float] = {}
    for one in items:
        best[one.occasion] = max(best.get(one.occasion, 0.0), one.sure)
    return sum(best.values()) if max(best.values(), default=0.0) >= SUREST_FROM else 0.0


def begin(
    life: Life,
    cycle: Cycle,
    items: Sequence[Observation],
    grades: Sequence[tuple[UUID, Grade]],
    *,
    stage: Stage | None,
) -> None:
    """Note that a trait begins with this evidence."""
    life.first, life.last = min(one.at for one in items), max(one.at for one in items)
    life.against, life.stage = [], stage
    life.steps.append(Step(change="observed", cycle=cycle.id, at=cycle.at, stage=stage))
    for one, (_, grade) in zip(items, grades, strict=False):
        life.steps.append(Step(change="reinforced", cycle=cycle.id, at=cycle.at, observation=one.id, grade=grade))


def reinforce(
    life: Life, one: Observation, grade: Grade, cycle: Cycle, *, confirmed_at: datetime | None = None
) -> None:
    """Add a piece of evidence to the confidence, decayed until then (TR-05, TR-06).

    Args:
        confirmed_at: since when it does not decay, because its person confirmed it.
    """
    assert life.base is not None  # noqa: S101 # callers reinforce only traits with a confidence
    decays = confirmed_at is None or confirmed_at > one.at
    if decays and life.last is not None and one.at > life.last:
        days = (one.at - life.last) / DAY
        life.base = decayed(life.base, life.pattern.subtype, days=days, reinforcements=life.reinforcements)
    life.base = reinforced(life.base, grade)
    life.last = max(life.last or one.at, one.at)
    life.reinforcements += 1
    life.steps.append(Step(change="reinforced", cycle=cycle.id, at=cycle.at, observation=one.id, grade=grade))


def restage(life: Life, cycle: Cycle, confidence: float) -> None:
    """Note the stage that a confidence from 0 to 1 has, if it is another one."""
    stage = stage_of(confidence)
    if stage == life.stage:
        return
    order: list[Stage | None] = [None, "dissolved", "trend", "candidate", "emerging", "established", "core"]
    change: Change = "promoted" if order.index(stage) > order.index(life.stage) else "decayed"
    life.steps.append(Step(change=change, cycle=cycle.id, at=cycle.at, stage=stage))
    life.stage = stage


def dissolve(life: Life, cycle: Cycle, *, again: bool = False) -> None:
    """End a trait. With `again`, its evidence still counts if more is found later."""
    life.dissolved, life.stage = True, "dissolved"
    life.fresh = life.fresh if again else len(life.items)
    life.formed = life.formed and again
    life.steps.append(Step(change="dissolved", cycle=cycle.id, at=cycle.at))


def pass_time(life: Life, known: Known, cycle: Cycle) -> None:
    """Count that a trait was used, let it decay until a reflection, and end it when too little is left (TR-06)."""
    if not life.alive:
        return
    if cycle.id in known.recalled.get(life.pattern.key, frozenset()) and life.base is not None:
        life.base = min(1.0, life.base + RECALLED)
        life.steps.append(Step(change="recalled", cycle=cycle.id, at=cycle.at))
    confidence = confidence_at(life, known, cycle.at)
    if confidence is not None and confidence < DISSOLVED_BELOW:
        dissolve(life, cycle)
    elif confidence is not None:
        restage(life, cycle, confidence)


def confidence_at(life: Life, known: Known, now: datetime) -> float | None:
    """Return the confidence at a time; what the person confirmed does not decay."""
    if life.base is None or life.last is None:
        return None
    confirmed = known.decisions.get(life.pattern.key, Decision()).confirmed_at
    if confirmed is not None and confirmed <= now:
        return reinforced(life.base, "B")
    days = (now - life.last) / DAY
    return decayed(life.base, life.pattern.subtype, days=days, reinforcements=life.reinforcements)


def life_of(life: Life, items: Sequence[Observation], cycle: Cycle, *, used: int = 0) -> Life:
    """Return a life of these observations alone, with nothing against them.

    Args:
        used: in how many reflections it had been recalled since the one before.
    """
    kept = {one.id for one in items}
    other = Life(life.pattern, items=list(items), grades=[one for one in life.grades if one[0] in kept])
    other.base, other.first = BEHAVIOR_CONFIDENCE, items[0].at if items else cycle.at
    counted = min(BEHAVIOR_ITEMS, len(items))
    other.last = items[counted - 1].at if items else cycle.at
    other.reinforcements = counted
    for one, (_, grade) in zip(items[counted:], other.grades[counted:], strict=True):
        reinforce(other, one, grade, cycle)
    other.base = min(1.0, other.base + used * RECALLED)
    return other


def trait_of(life: Life, known: Known, now: datetime, *, steps: bool) -> Trait:
    """Return a life as a trait at a time; with `steps`, with its history."""
    assert life.first is not None  # noqa: S101 # it began
    assert life.last is not None  # noqa: S101 # it began
    decision = known.decisions.get(life.pattern.key, Decision())
    confidence = None if life.base is None else confidence_at(life, known, now)
    stage: Stage = "dissolved" if life.dissolved else "trend" if life.base is None else stage_of(confidence or 0.0)
    return Trait(
        key=life.pattern.key,
        subtype=life.pattern.subtype,
        stage=stage,
        confidence=confidence,
        base=life.base,
        context=decision.context or life.context(),
        first_observed=life.first,
        last_reinforced=life.last,
        reinforcements=life.reinforcements,
        contradictions=len(life.against),
        derived_from="trend_promotion" if life.was_trend and life.base is not None else "reflection",
        window=life.window if life.base is None else None,
        supporting=tuple(life.grades[life.fresh :] or life.grades),
        contradicting=tuple(one.id for one in life.against),
        steps=tuple(life.steps) if steps else (),
        qualified=_qualified(life, decision),
        overruled=overruled(life, decision),
    )


def contested(life: Life) -> bool:
    """Return whether so much speaks against a trait that it is reviewed (TR-08)."""
    return len(life.against) / max(1, len(life.against) + len(life.items) - life.fresh) > REVIEWED_ABOVE


def _qualified(life: Life, decision: Decision) -> str | None:
    """Return how a trait that much speaks against is qualified: where that was seen, or `sometimes` (TR-08)."""
    if not life.alive or life.base is None or decision.confirmed_at is not None or not contested(life):
        return None
    [place, *more] = {one.context for one in life.against}
    elsewhere = any(one.context != place for one in life.items[life.fresh :])
    only_there = not more and place != "general" and elsewhere and place not in (decision.context, life.context())
    return place if only_there else "sometimes"


def overruled(life: Life, decision: Decision) -> bool:
    """Return whether the last thing the person said about a trait is that it is not so (TR-08)."""
    denied = max((one.at for one in life.against if one.form == "stated"), default=None)
    if denied is None:
        return False
    said = [one.at for one in life.items if one.form == "stated"]
    if decision.confirmed_at is not None:
        said.append(decision.confirmed_at)
    return not said or denied > max(said)


def _context_of(items: Sequence[Observation]) -> str:
    """Return the context of a trait: the one it was seen in, or `general` if there are several or none."""
    counts = Counter(one.context for one in items if one.context != "general")
    if not counts:
        return "general"
    [(label, most), *others] = counts.most_common()
    rest = others[0][1] if others else 0
    return label if most > SCATTERED * rest and rest < SPLIT_ITEMS else "general"
