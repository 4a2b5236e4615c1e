"""Preferences and core traits, which rest on the traits below them (TR-04)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean

from shared.traits.rules.confidence import CHILD_CONFIDENCE, PARENT_CHILDREN, Subtype
from shared.traits.rules.lives import Life, confidence_at, dissolve, pass_time, trait_of
from shared.traits.rules.types import Cycle, Decision, Known, Pattern, Step, Trait


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """What a parent needs to know of a trait below it."""

    key: str
    confidence: float
    context: str
    first: datetime
    last: datetime


class Parents:
    """Preferences and core traits: what at least two children of one parent have in common."""

    def __init__(self, vocabulary: Mapping[str, Pattern], known: Known) -> None:
        self._vocabulary = vocabulary
        self._known = known
        self._lives: dict[str, Life] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._contexts: dict[str, str] = {}

    def reflect(self, cycle: Cycle, behaviors: Sequence[Child], denied: Collection[str] = ()) -> None:
        """Raise parents whose children are sure enough, first preferences, then core traits.

        Args:
            denied: the behaviors that the person says are not so; nothing rests on them.
        """
        below, lost = behaviors, set(denied)
        for subtype in ("preference", "core"):
            below = self._raise(cycle, subtype, below, lost)

    def traits(self, now: datetime) -> dict[str, Trait]:
        return {key: self._as_trait(key, now) for key in sorted(self._lives)}

    def _raise(self, cycle: Cycle, subtype: Subtype, below: Sequence[Child], lost: set[str]) -> list[Child]:
        raised = self._supported(subtype, below)
        for key in sorted({*raised, *(key for key in self._lives if self._vocabulary[key].subtype == subtype)}):
            life = self._lives.setdefault(key, Life(self._vocabulary[key]))
            opposite = self._vocabulary[key].opposite
            children = raised.get(key, [])
            stronger = raised.get(opposite or "", [])
            if children and _weight(children) >= _weight(stronger):
                self._follow(life, children, cycle)
            elif life.alive and not self._is_confirmed(key):
                against = len(stronger) or self._denied(key, lost)
                if against:
                    life.steps.append(Step(change="contradicted", cycle=cycle.id, at=cycle.at, pieces=against))
                    dissolve(life, cycle)
                    lost.add(key)
            if life.alive:
                pass_time(life, self._known, cycle)
        self._lives = {key: life for key, life in self._lives.items() if life.base is not None}
        return self._as_children(cycle, subtype)

    def _is_confirmed(self, key: str) -> bool:
        return self._known.decisions.get(key, Decision()).confirmed_at is not None

    def _denied(self, key: str, lost: Collection[str]) -> int:
        """Return how many of a parent's children were lost, if too few are left of them to support it."""
        children = self._children.get(key, ())
        gone = sum(child in lost for child in children)
        return gone if len(children) - gone < PARENT_CHILDREN else 0

    def _supported(self, subtype: Subtype, below: Sequence[Child]) -> dict[str, list[Child]]:
        """Return the parents with enough children that are sure enough, each with these children."""
        sure: dict[str, list[Child]] = {}
        for child in below:
            if child.confidence >= CHILD_CONFIDENCE[subtype]:
                for parent in self._vocabulary[child.key].parents:
                    if parent not in self._known.left_out:
                        sure.setdefault(parent, []).append(child)
        return {key: children for key, children in sure.items() if len(children) >= PARENT_CHILDREN}

    def _as_children(self, cycle: Cycle, subtype: Subtype) -> list[Child]:
        """Return the living traits of a subtype as children of the next one."""
        return [
            Child(
                key=key,
                confidence=confidence_at(life, self._known, cycle.at) or 0.0,
                context=self._contexts.get(key, "general"),
                first=life.first,
                last=life.last,
            )
            for key, life in self._lives.items()
            if life.alive and life.pattern.subtype == subtype and life.first is not None and life.last is not None
        ]

    def _follow(self, life: Life, children: Sequence[Child], cycle: Cycle) -> None:
        """Take the mean of the children."""
        mean = fmean(child.confidence for child in children)
        last = max(child.last for child in children)
        key = life.pattern.key
        if not life.alive:
            life.dissolved, life.stage = False, None
            life.first = life.first or min(child.first for child in children)
            life.steps.append(Step(change="observed", cycle=cycle.id, at=cycle.at))
        if life.last is None or last > life.last:
            life.reinforcements += 1
            life.last = last
            life.base = mean
        elif life.base is None:
            life.base = mean
        self._children[key] = tuple(sorted(child.key for child in children))
        labels = {child.context for child in children}
        self._contexts[key] = labels.pop() if len(labels) == 1 else "general"

    def _as_trait(self, key: str, now: datetime) -> Trait:
        life = self._lives[key]
        trait = trait_of(life, self._known, now, steps=True)
        context = self._known.decisions.get(key, Decision()).context or self._contexts.get(key, "general")
        return replace(trait, context=context, children=self._children.get(key, ()))


def _weight(children: Sequence[Child]) -> tuple[int, float]:
    return len(children), sum(child.confidence for child in children)
