"""A behavior and its opposite: evidence, contradiction, review and contexts (TR-03 to TR-08)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.traits.rules import contexts
from shared.traits.rules.confidence import (
    BEHAVIOR_CONFIDENCE,
    BEHAVIOR_CONVERSATIONS,
    BEHAVIOR_ITEMS,
    BEHAVIOR_SURE,
    CANDIDATE_MAX,
    MOOD_WINDOW,
    TREND_RENEWALS,
    TREND_SPAN,
    TREND_SURE,
    TREND_WINDOW,
    contradicted,
)
from shared.traits.rules.lives import (
    Life,
    begin,
    certainty,
    confidence_at,
    contested,
    dissolve,
    grade_of,
    overruled,
    pass_time,
    reinforce,
    restage,
    trait_of,
)
from shared.traits.rules.parents import Child
from shared.traits.rules.types import Cycle, Decision, Known, Observation, Pattern, Step, Trait

CHILD_BASE: Final = 0.375
"""Least stored confidence of a trait that could support a parent: decay only lowers it, a confirmation adds a fifth."""


class Family:
    """A behavior and its opposite: each is evidence against the other, unless they differ by context."""

    def __init__(
        self,
        vocabulary: Mapping[str, Pattern],
        key: str,
        observations: Iterable[Observation],
        known: Known,
        cycles: Mapping[UUID, Cycle],
    ) -> None:
        pattern = vocabulary[key]
        keys = [key, *([pattern.opposite] if pattern.opposite else [])]
        self._lives = {one: Life(vocabulary[one]) for one in keys if one not in known.left_out}
        self._known = known
        self._split: dict[str, str] = {}
        self._split_at: Cycle | None = None
        self._held: list[Observation] = []
        self._everywhere: datetime | None = None
        ordered = sorted(observations, key=lambda one: (one.at, one.id))
        self._waiting: dict[UUID, list[Observation]] = {}
        for one in ordered:
            if one.cycle is not None and one.cycle in cycles:
                self._waiting.setdefault(one.cycle, []).append(one)

    def reflect(self, cycle: Cycle) -> None:
        """Count what one reflection found new, then let time pass."""
        new = self._waiting.get(cycle.id, [])
        if new or (self._held and not self._split):
            self._count(new, cycle)
        known = contexts.decided_together(self._lives, self._known) if self._split else self._known
        for life in self._lives.values():
            self._pass_time(life, known, cycle)

    def _count(self, new: Sequence[Observation], cycle: Cycle) -> None:
        for key, life in self._lives.items():
            self._support(life, [one for one in new if one.key == key and one.shows], cycle)
        self._held += new
        if new:
            self._divide(cycle)
        if not self._split:
            found, self._held = self._held, []
            reviewed = [
                life
                for key, life in self._lives.items()
                if self._contradict(life, [one for one in found if (one.key == key) != one.shows], cycle)
            ]
            for life in reviewed:
                self._review(life, cycle)

    def traits(self, now: datetime, *, steps: bool = False) -> list[tuple[str, Trait]]:
        """Return what there is of the family at a time."""
        if self._split and self._split_at is not None:
            return contexts.traits(self._lives, self._split, self._split_at, self._known, now, steps=steps)
        return [
            (key, trait_of(life, self._known, now, steps=steps))
            for key, life in self._lives.items()
            if life.base is not None or life.window is not None
        ]

    def children(self, now: datetime) -> Iterator[Child]:
        """Yield what may support a parent; a pair that differs by context points both ways."""
        if self._split:
            return
        for key, life in self._lives.items():
            if life.base is None or life.base < CHILD_BASE or not life.alive or self._is_denied(life):
                continue
            confidence = confidence_at(life, self._known, now)
            if confidence is not None and life.first is not None and life.last is not None:
                decided = self._known.decisions.get(key, Decision()).context
                context = decided or life.context()
                yield Child(key=key, confidence=confidence, context=context, first=life.first, last=life.last)

    def denied(self) -> Iterator[str]:
        """Yield the behaviors that the person says are not so."""
        return (key for key, life in self._lives.items() if self._is_denied(life))

    def _is_denied(self, life: Life) -> bool:
        return overruled(life, self._known.decisions.get(life.pattern.key, Decision()))

    def _support(self, life: Life, new: Sequence[Observation], cycle: Cycle) -> None:
        for one in new:
            grade = grade_of(one, life)
            life.items.append(one)
            life.occasions.add(one.occasion)
            if one.context != "general":
                life.places.add(one.context)
            life.grades.append((one.id, grade))
            if life.alive and life.base is not None:
                reinforce(life, one, grade, cycle, confirmed_at=self._confirmed(life))
                life.base = self._settled(life)
        if new and not (life.alive and life.base is not None):
            self._begin(life, cycle)

    def _begin(self, life: Life, cycle: Cycle) -> None:
        """Let a trait begin, if there is enough evidence: three sure pieces, each of its own conversation, or two."""
        items = life.items[life.fresh :]
        if len({one.occasion for one in items}) < BEHAVIOR_CONVERSATIONS:
            return
        grades = life.grades[life.fresh :]
        sure = certainty(items)
        if sure < TREND_SURE:
            return
        enough = len(items) >= BEHAVIOR_ITEMS and sure >= BEHAVIOR_SURE
        since, until = min(one.at for one in items), max(one.at for one in items)  # a host may bring earlier messages
        if not enough and until - since < TREND_SPAN:
            if life.window is None or life.dissolved:
                life.window = (since, since + (MOOD_WINDOW if life.pattern.mood else TREND_WINDOW))
                life.dissolved, life.was_trend, life.renewed = False, True, 0
                life.base, life.reinforcements = None, 0  # what it was before it dissolved does not come back
                begin(life, cycle, items, grades, stage="trend")
            else:
                self._renew(life, cycle)
            return
        if enough:
            life.base, counted = BEHAVIOR_CONFIDENCE, items[:BEHAVIOR_ITEMS]
        else:
            life.base, counted = 0.0, []
        began = life.window is None or life.dissolved
        life.window, life.dissolved = None, False
        if began:
            begin(life, cycle, counted or items, grades, stage=None)
        life.last = max(one.at for one in counted or items)
        life.reinforcements = len(counted)
        for one, (_, grade) in zip(items[len(counted) :], grades[len(counted) :], strict=True):
            reinforce(life, one, grade, cycle, confirmed_at=self._confirmed(life))
        life.base = life.base if enough else min(life.base, CANDIDATE_MAX)
        life.formed = enough
        restage(life, cycle, life.base)

    def _renew(self, life: Life, cycle: Cycle) -> None:
        """Note that a reflection found more of a trend, which is not sure enough to make a behavior of it yet."""
        told = {step.observation for step in life.steps}
        for one, (_, grade) in zip(life.items[life.fresh :], life.grades[life.fresh :], strict=True):
            if one.id not in told:
                life.reinforcements += 1
                life.steps.append(
                    Step(change="reinforced", cycle=cycle.id, at=cycle.at, observation=one.id, grade=grade)
                )
        life.renewed += 1
        life.last = max(one.at for one in life.items[life.fresh :])

    def _settled(self, life: Life) -> float:
        """Return the confidence of a trait that was reinforced: a candidate stays one until the evidence is enough."""
        assert life.base is not None  # noqa: S101 # it was reinforced
        if life.formed:
            return life.base
        items = life.items[life.fresh :]
        life.formed = len(items) >= BEHAVIOR_ITEMS and certainty(items) >= BEHAVIOR_SURE
        return max(life.base, BEHAVIOR_CONFIDENCE) if life.formed else min(life.base, CANDIDATE_MAX)

    def _confirmed(self, life: Life) -> datetime | None:
        return self._known.decisions.get(life.pattern.key, Decision()).confirmed_at

    def _contradict(self, life: Life, against: Sequence[Observation], cycle: Cycle) -> bool:
        """Count what was found against a trait; return whether there was any."""
        if not life.alive or life.first is None:
            return False
        counted = [one for one in against if one.at >= life.first and not self._elsewhere(life, one)]
        if not counted:
            return False
        life.against += counted
        if life.base is not None:
            life.base = contradicted(life.base, len(counted))
        life.steps.append(Step(change="contradicted", cycle=cycle.id, at=cycle.at, pieces=len(counted)))
        return True

    def _elsewhere(self, life: Life, against: Observation) -> bool:
        """Return whether something contrary was seen only where this was never seen: that is no contradiction yet."""
        if against.context == "general" or against.form == "stated":
            return False
        seen = {one.context for one in life.items}
        return "general" not in seen and against.context not in seen and bool(seen)

    def _divide(self, cycle: Cycle) -> None:
        """Split the pair by context, if each holds in a context of its own at the same time (TR-06).

        It is one again when one of them no longer holds where it did, or the person says what holds everywhere: then
        all that was found since the split counts for and against as if there had been none.
        """
        if self._split:
            turned = any(contexts.turned(self._lives, self._held, key, label) for label, key in self._split.items())
            said = [one.at for one in self._held if one.form == "stated" and one.context == "general"]
            self._everywhere = max(said, default=self._everywhere)
            if turned or said:
                self._split, self._split_at = {}, None
        elif any(self._known.decisions.get(key, Decision()).context for key in self._lives):
            return  # the person said where it holds
        elif where := contexts.tendencies(self._lives, self._everywhere):
            self._split, self._split_at = where, cycle
            for life in self._lives.values():
                life.steps.append(Step(change="split", cycle=cycle.id, at=cycle.at))

    def _review(self, life: Life, cycle: Cycle) -> None:
        """Decide about a trait with much against it: its opposite took its place, or there is too little left."""
        items = life.items[life.fresh :]
        if not life.alive or not life.against or self._known.decisions.get(life.pattern.key, Decision()).confirmed_at:
            return
        if not contested(life):
            return
        since = [one for one in life.against if one.at > items[-1].at]
        replaced = len(since) >= BEHAVIOR_ITEMS and len({one.occasion for one in since}) >= BEHAVIOR_CONVERSATIONS
        if replaced or len(life.against) > len(items):
            dissolve(life, cycle)
        else:
            life.steps.append(Step(change="revised", cycle=cycle.id, at=cycle.at))

    def _pass_time(self, life: Life, known: Known, cycle: Cycle) -> None:
        if life.window is None:
            pass_time(life, known, cycle)
        elif life.alive and cycle.at > life.window[1]:
            confirmed = self._confirmed(life)
            if life.renewed < TREND_RENEWALS and (confirmed is None or confirmed > cycle.at):
                dissolve(life, cycle, again=True)
            else:
                life.base, life.window = CANDIDATE_MAX, None
                restage(life, cycle, CANDIDATE_MAX)
