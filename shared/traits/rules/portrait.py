"""What a person's observations amount to: their traits, with grades, stages and history (TR-01 to TR-08). Pure.

A portrait is computed from all observations, every past reflection and the person's own decisions, never from an
earlier portrait. Therefore the result does not depend on the order in which observations arrived, repeating a
reflection changes nothing, and leaving out what was forgotten gives exactly the traits that the rest supports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from statistics import fmean
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.traits.rules.numbers import (
    BEHAVIOR_CONFIDENCE,
    BEHAVIOR_CONVERSATIONS,
    BEHAVIOR_ITEMS,
    BEHAVIOR_SURE,
    CANDIDATE_MAX,
    CHILD_CONFIDENCE,
    DISSOLVED_BELOW,
    PARENT_CHILDREN,
    PRESENT,
    RECALLED,
    REVIEWED_ABOVE,
    SUREST_FROM,
    TREND_SPAN,
    TREND_SURE,
    TREND_WINDOW,
    Grade,
    Stage,
    Subtype,
    contradicted,
    decayed,
    reinforced,
    stage_of,
)

Context: TypeAlias = Literal["work", "personal", "social", "learning", "general"]
Form: TypeAlias = Literal["told", "stated", "signal"]
"""How an observation was made: in passing, by a statement about oneself, or measured on the message itself."""
Change: TypeAlias = Literal[
    "observed", "reinforced", "contradicted", "promoted", "revised", "split", "decayed", "dissolved", "recalled"
]
DAY: Final = timedelta(days=1)
SPLIT_ITEMS: Final = 2
"""Least observations of a tendency in a context for it to be the tendency there."""
SPLIT_SHARE: Final = 3
"""How many times as often as its opposite it must be observed there."""
CHILD_BASE: Final = 0.375
"""Least stored confidence of a trait that could support a parent: decay only lowers it, a confirmation adds a fifth."""
SCATTERED: Final = 1.5
"""How many times as many labelled observations another context needs for one context to stand for a trait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One entry of the vocabulary.

    Args:
        parents: the keys it is evidence for.
        opposite: the key that it contradicts, if any.
    """

    key: str
    subtype: Subtype
    parents: tuple[str, ...] = ()
    opposite: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One message, memory or feedback that shows a behavior, or with `shows` false its contrary.

    Args:
        occasion: the conversation it was made in, or its source outside of any.
        sure: how sure the reader was, from 0 to 1.
        cycle: the reflection that counted it first; None if none did yet.
    """

    id: UUID
    key: str
    shows: bool
    form: Form
    context: Context
    occasion: UUID
    at: datetime
    sure: float = 1.0
    cycle: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """One reflection."""

    id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided about a trait. `context` restricts it; `confirmed_at` says that it is right."""

    confirmed_at: datetime | None = None
    context: Context | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything a portrait is made from.

    Args:
        cycles: every reflection that counted something, including the present one.
        decisions: by key.
        recalled: the reflections that found a trait used since the one before, by key.
        now: the time of the portrait.
        left_out: keys that must not become traits; what was observed of them still speaks against their opposites.
    """

    observations: Sequence[Observation]
    cycles: Sequence[Cycle]
    now: datetime
    left_out: frozenset[str] = frozenset()
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    recalled: Mapping[str, frozenset[UUID]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change in the life of a trait: which reflection made it, when, and what it was.

    `observation` and `grade` name the evidence; `stage` is the one after a promotion or a decay.
    """

    change: Change
    cycle: UUID
    at: datetime
    observation: UUID | None = None
    grade: Grade | None = None
    pieces: int | None = None
    stage: Stage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tendency:
    """What a person tends to in one context, where that depends on the context."""

    key: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """A trait as of the last reflection.

    Args:
        confidence: from 0 to 1, decayed until `Known.now`; None for a trend.
        base: the confidence at the last reinforcement.
        contexts: the tendency in each context, if they differ; then `context` is `contextual`.
        supporting: its evidence with grades, in the order in which it was counted.
        overruled: whether the person said the contrary, after anything they said for it: what is said beats what is
            inferred.
    """

    key: str
    subtype: Subtype
    stage: Stage
    confidence: float | None
    base: float | None
    context: str
    first_observed: datetime
    last_reinforced: datetime
    reinforcements: int
    contradictions: int
    derived_from: Literal["reflection", "trend_promotion"]
    window: tuple[datetime, datetime] | None = None
    contexts: Mapping[str, Tendency] = field(default_factory=dict)
    supporting: tuple[tuple[UUID, Grade], ...] = ()
    contradicting: tuple[UUID, ...] = ()
    children: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    overruled: bool = False

    @property
    def present(self) -> bool:
        """Whether an assistant may be told about it."""
        return self.stage in PRESENT


@dataclass(slots=True)
class _Life:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Child:
    """What a parent needs to know of a trait below it."""

    key: str
    confidence: float
    context: str
    first: datetime
    last: datetime


def portrait(vocabulary: Mapping[str, Pattern], known: Known) -> dict[str, Trait]:
    """Return a person's traits by key, dissolved ones included."""
    cycles = sorted(known.cycles, key=lambda cycle: (cycle.at, cycle.id))
    families: dict[str, list[Observation]] = {}
    for one in known.observations:
        pattern = vocabulary.get(one.key)
        if pattern is not None and pattern.subtype == "behavior" and one.cycle is not None:
            families.setdefault(min(one.key, pattern.opposite or one.key), []).append(one)
    families_alive = [
        _Family(vocabulary, key, families[key], known, {cycle.id: cycle for cycle in cycles})
        for key in sorted(families)
    ]
    parents = _Parents(vocabulary, known)
    for cycle in cycles:
        for family in families_alive:
            family.reflect(cycle)
        parents.reflect(cycle, [child for family in families_alive for child in family.children(cycle.at)])
    found = {key: trait for family in families_alive for key, trait in family.traits(known.now, steps=True)}
    return {**found, **parents.traits(known.now)}


class _Family:
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
        self._lives = {one: _Life(vocabulary[one]) for one in keys if one not in known.left_out}
        self._known = known
        self._split: dict[str, str] = {}
        self._split_at: Cycle | None = None
        ordered = sorted(observations, key=lambda one: (one.at, one.id))
        self._waiting: dict[UUID, list[Observation]] = {}
        for one in ordered:
            if one.cycle is not None and one.cycle in cycles:
                self._waiting.setdefault(one.cycle, []).append(one)

    def reflect(self, cycle: Cycle) -> None:
        """Count what one reflection found new, then let time pass."""
        new = self._waiting.get(cycle.id, [])
        for key, life in self._lives.items():
            self._support(life, [one for one in new if one.key == key and one.shows], cycle)
        if new and not self._split:
            self._divide(cycle)
        for key, life in self._lives.items():
            against = [one for one in new if (one.key == key) != one.shows]
            if not self._split:
                self._contradict(life, against, cycle)
        if not self._split:
            for life in self._lives.values():
                self._review(life, cycle)
        for life in self._lives.values():
            self._pass_time(life, cycle)

    def traits(self, now: datetime, *, steps: bool = False) -> list[tuple[str, Trait]]:
        """Return what there is of the family at a time."""
        if self._split and self._split_at is not None:
            return [self._contextual(now, steps=steps)]
        return [
            (key, _as_trait(life, self._known, now, steps=steps))
            for key, life in self._lives.items()
            if life.base is not None or life.window is not None
        ]

    def children(self, now: datetime) -> Iterator[_Child]:
        """Yield what may support a parent; a pair that differs by context points both ways."""
        if self._split:
            return
        for key, life in self._lives.items():
            if life.base is None or life.base < CHILD_BASE or not life.alive:
                continue
            confidence = _confidence(life, self._known, now)
            if confidence is not None and life.first is not None and life.last is not None:
                decided = self._known.decisions.get(key, Decision()).context
                context = decided or life.context()
                yield _Child(key=key, confidence=confidence, context=context, first=life.first, last=life.last)

    def _support(self, life: _Life, new: Sequence[Observation], cycle: Cycle) -> None:
        for one in new:
            grade = _grade(one, life)
            life.items.append(one)
            life.occasions.add(one.occasion)
            if one.context != "general":
                life.places.add(one.context)
            life.grades.append((one.id, grade))
            if life.alive and life.base is not None:
                _reinforce(life, one, grade, cycle)
                life.base = self._settled(life)
        if new and not (life.alive and life.base is not None):
            self._begin(life, cycle)

    def _begin(self, life: _Life, cycle: Cycle) -> None:
        """Let a trait begin, if there is enough evidence: three pieces in two conversations, or two over weeks."""
        items = life.items[life.fresh :]
        if len({one.occasion for one in items}) < BEHAVIOR_CONVERSATIONS:
            return
        grades = life.grades[life.fresh :]
        sure = _sure(items)
        if sure < TREND_SURE:
            return
        enough = len(items) >= BEHAVIOR_ITEMS and sure >= BEHAVIOR_SURE
        recent = items[-1].at - items[0].at < TREND_SPAN
        if not enough and recent:
            if life.window is None or life.dissolved:
                life.window = (items[0].at, items[0].at + TREND_WINDOW)
                life.dissolved, life.was_trend = False, True
                _mark(life, cycle, items, grades, stage="trend")
            return
        if enough:
            life.base, counted = BEHAVIOR_CONFIDENCE, items[:BEHAVIOR_ITEMS]
        else:
            life.base, counted = 0.0, []
        began = life.window is None or life.dissolved
        life.window, life.dissolved = None, False
        if began:
            _mark(life, cycle, counted or items, grades, stage=None)
        life.last = (counted or items)[-1].at
        life.reinforcements = len(counted)
        for one, (_, grade) in zip(items[len(counted) :], grades[len(counted) :], strict=True):
            _reinforce(life, one, grade, cycle)
        life.base = life.base if enough else min(life.base, CANDIDATE_MAX)
        life.formed = enough
        _restage(life, cycle, life.base)

    def _settled(self, life: _Life) -> float:
        """Return the confidence of a trait that was reinforced: a candidate stays one until the evidence is enough."""
        assert life.base is not None  # noqa: S101 # it was reinforced
        if life.formed:
            return life.base
        items = life.items[life.fresh :]
        life.formed = len(items) >= BEHAVIOR_ITEMS and _sure(items) >= BEHAVIOR_SURE
        return max(life.base, BEHAVIOR_CONFIDENCE) if life.formed else min(life.base, CANDIDATE_MAX)

    def _contradict(self, life: _Life, against: Sequence[Observation], cycle: Cycle) -> None:
        if not life.alive or life.first is None:
            return
        counted = [one for one in against if one.at >= life.first and not self._elsewhere(life, one)]
        if not counted:
            return
        life.against += counted
        if life.base is not None:
            life.base = contradicted(life.base, len(counted))
        life.steps.append(Step(change="contradicted", cycle=cycle.id, at=cycle.at, pieces=len(counted)))

    def _elsewhere(self, life: _Life, against: Observation) -> bool:
        """Return whether something contrary was seen only where this was never seen: that is no contradiction yet."""
        if against.context == "general" or against.form == "stated":
            return False
        seen = {one.context for one in life.items}
        return "general" not in seen and against.context not in seen and bool(seen)

    def _divide(self, cycle: Cycle) -> None:
        """Split the pair by context, if each holds in a context of its own at the same time (TR-06)."""
        if len(self._lives) == 1 or not self._lives:
            return
        first, second = self._lives.values()
        if min(len(first.items), len(second.items)) < BEHAVIOR_ITEMS:
            return
        if first.items[0].at > second.items[-1].at or second.items[0].at > first.items[-1].at:
            return
        counts = {
            key: Counter(one.context for one in life.items if one.context != "general")
            for key, life in self._lives.items()
        }
        where: dict[str, str] = {}
        for label in sorted({label for count in counts.values() for label in count}):
            [(most, many), (_, few)] = sorted(((key, counts[key][label]) for key in counts), key=lambda one: -one[1])
            if many >= SPLIT_ITEMS and many >= SPLIT_SHARE * few:
                where[label] = most
        if set(where.values()) == set(self._lives):
            self._split, self._split_at = where, cycle
            for life in self._lives.values():
                life.steps.append(Step(change="split", cycle=cycle.id, at=cycle.at))

    def _contextual(self, now: datetime, *, steps: bool) -> tuple[str, Trait]:
        """Return the pair as one trait with a tendency in each context."""
        assert self._split_at is not None  # noqa: S101 # callers ask only for a split pair
        alone = {
            key: _alone(life, [one for one in life.items if self._split.get(one.context, key) == key], self._split_at)
            for key, life in self._lives.items()
        }
        owner = min(self._lives, key=lambda key: (self._lives[key].items[0].at, key))
        tendencies = {
            label: Tendency(key=key, confidence=round(_confidence(alone[key], self._known, now) or 0.0, 6))
            for label, key in sorted(self._split.items())
        }
        confidence = fmean(one.confidence for one in tendencies.values())
        lives = list(self._lives.values())
        trait = _as_trait(self._lives[owner], self._known, now, steps=False)
        merged = sorted(
            (pair for life in lives for pair in zip(life.items, life.grades, strict=True)),
            key=lambda pair: (pair[0].at, pair[0].id),
        )
        told = sorted((step for life in lives for step in life.steps), key=lambda step: step.at) if steps else []
        return owner, replace(
            trait,
            stage=stage_of(confidence),
            confidence=confidence,
            base=confidence,
            context="contextual",
            contexts=tendencies,
            window=None,
            first_observed=min(life.items[0].at for life in lives),
            last_reinforced=max(life.items[-1].at for life in lives),
            reinforcements=sum(life.reinforcements for life in alone.values()),
            contradictions=0,
            supporting=tuple(grade for _, grade in merged),
            contradicting=(),
            steps=tuple(told),
        )

    def _review(self, life: _Life, cycle: Cycle) -> None:
        """Decide about a trait with much against it: its opposite took its place, or there is too little left."""
        items = life.items[life.fresh :]
        if not life.alive or not life.against or self._known.decisions.get(life.pattern.key, Decision()).confirmed_at:
            return
        if len(life.against) / (len(life.against) + len(items)) <= REVIEWED_ABOVE:
            return
        since = [one for one in life.against if one.at > items[-1].at]
        replaced = len(since) >= BEHAVIOR_ITEMS and len({one.occasion for one in since}) >= BEHAVIOR_CONVERSATIONS
        if replaced or len(life.against) > len(items):
            _dissolve(life, cycle)
        else:
            life.steps.append(Step(change="revised", cycle=cycle.id, at=cycle.at))

    def _pass_time(self, life: _Life, cycle: Cycle) -> None:
        if not life.alive:
            return
        if life.window is not None:
            if cycle.at > life.window[1]:
                _dissolve(life, cycle, again=True)
            return
        if cycle.id in self._known.recalled.get(life.pattern.key, frozenset()) and life.base is not None:
            life.base = min(1.0, life.base + RECALLED)
            life.steps.append(Step(change="recalled", cycle=cycle.id, at=cycle.at))
        confidence = _confidence(life, self._known, cycle.at)
        if confidence is not None and confidence < DISSOLVED_BELOW:
            _dissolve(life, cycle)
        elif confidence is not None:
            _restage(life, cycle, confidence)


class _Parents:
    """Preferences and core traits: what at least two children of one parent have in common."""

    def __init__(self, vocabulary: Mapping[str, Pattern], known: Known) -> None:
        self._vocabulary = vocabulary
        self._known = known
        self._lives: dict[str, _Life] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._contexts: dict[str, str] = {}

    def reflect(self, cycle: Cycle, behaviors: Sequence[_Child]) -> None:
        """Raise parents whose children are sure enough, first preferences, then core traits."""
        below = behaviors
        for subtype in ("preference", "core"):
            below = self._raise(cycle, subtype, below)

    def traits(self, now: datetime) -> dict[str, Trait]:
        return {key: self._as_trait(key, now) for key in sorted(self._lives)}

    def _raise(self, cycle: Cycle, subtype: Subtype, below: Sequence[_Child]) -> list[_Child]:
        sure: dict[str, list[_Child]] = {}
        for child in below:
            if child.confidence >= CHILD_CONFIDENCE[subtype]:
                for parent in self._vocabulary[child.key].parents:
                    if parent not in self._known.left_out:
                        sure.setdefault(parent, []).append(child)
        raised = {key: children for key, children in sure.items() if len(children) >= PARENT_CHILDREN}
        for key in sorted({*raised, *(key for key in self._lives if self._vocabulary[key].subtype == subtype)}):
            life = self._lives.setdefault(key, _Life(self._vocabulary[key]))
            opposite = self._vocabulary[key].opposite
            children = raised.get(key, [])
            stronger = raised.get(opposite or "", [])
            if children and _weight(children) >= _weight(stronger):
                self._follow(life, children, cycle)
            elif stronger and life.alive:
                life.steps.append(Step(change="contradicted", cycle=cycle.id, at=cycle.at, pieces=len(stronger)))
                _dissolve(life, cycle)
            if life.alive:
                self._pass_time(life, cycle)
        self._lives = {key: life for key, life in self._lives.items() if life.base is not None}
        return [
            _Child(
                key=key,
                confidence=_confidence(life, self._known, cycle.at) or 0.0,
                context=self._contexts.get(key, "general"),
                first=life.first,
                last=life.last,
            )
            for key, life in self._lives.items()
            if life.alive and life.pattern.subtype == subtype and life.first is not None and life.last is not None
        ]

    def _follow(self, life: _Life, children: Sequence[_Child], cycle: Cycle) -> None:
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

    def _pass_time(self, life: _Life, cycle: Cycle) -> None:
        if cycle.id in self._known.recalled.get(life.pattern.key, frozenset()) and life.base is not None:
            life.base = min(1.0, life.base + RECALLED)
            life.steps.append(Step(change="recalled", cycle=cycle.id, at=cycle.at))
        confidence = _confidence(life, self._known, cycle.at)
        if confidence is not None and confidence < DISSOLVED_BELOW:
            _dissolve(life, cycle)
        elif confidence is not None:
            _restage(life, cycle, confidence)

    def _as_trait(self, key: str, now: datetime) -> Trait:
        life = self._lives[key]
        trait = _as_trait(life, self._known, now, steps=True)
        context = self._known.decisions.get(key, Decision()).context or self._contexts.get(key, "general")
        return replace(trait, context=context, children=self._children.get(key, ()))


def _weight(children: Sequence[_Child]) -> tuple[int, float]:
    return len(children), sum(child.confidence for child in children)


def _grade(one: Observation, life: _Life) -> Grade:
    """Return the grade of a piece of evidence, given the pieces before it (TR-05)."""
    if one.form == "stated":
        return "B"
    if one.form == "signal":
        return "D"
    if one.occasion in life.occasions:
        return "D"
    return "A" if one.context != "general" and life.places and one.context not in life.places else "C"


def _sure(items: Sequence[Observation]) -> float:
    """Return how sure pieces are together: the surest of each conversation added up, 0 if none is sure enough."""
    best: dict[UUID, float] = {}
    for one in items:
        best[one.occasion] = max(best.get(one.occasion, 0.0), one.sure)
    return sum(best.values()) if max(best.values(), default=0.0) >= SUREST_FROM else 0.0


def _mark(
    life: _Life,
    cycle: Cycle,
    items: Sequence[Observation],
    grades: Sequence[tuple[UUID, Grade]],
    *,
    stage: Stage | None,
) -> None:
    """Note that a trait begins with this evidence."""
    life.first, life.last = items[0].at, items[-1].at
    life.against, life.stage = [], stage
    life.steps.append(Step(change="observed", cycle=cycle.id, at=cycle.at, stage=stage))
    for one, (_, grade) in zip(items, grades, strict=False):
        life.steps.append(Step(change="reinforced", cycle=cycle.id, at=cycle.at, observation=one.id, grade=grade))


def _reinforce(life: _Life, one: Observation, grade: Grade, cycle: Cycle) -> None:
    assert life.base is not None  # noqa: S101 # callers reinforce only traits with a confidence
    if life.last is not None and one.at > life.last:
        days = (one.at - life.last) / DAY
        life.base = decayed(life.base, life.pattern.subtype, days=days, reinforcements=life.reinforcements)
    life.base = reinforced(life.base, grade)
    life.last = max(life.last or one.at, one.at)
    life.reinforcements += 1
    life.steps.append(Step(change="reinforced", cycle=cycle.id, at=cycle.at, observation=one.id, grade=grade))


def _restage(life: _Life, cycle: Cycle, confidence: float) -> None:
    stage = stage_of(confidence)
    if stage == life.stage:
        return
    order: list[Stage | None] = [None, "dissolved", "trend", "candidate", "emerging", "established", "core"]
    change: Change = "promoted" if order.index(stage) > order.index(life.stage) else "decayed"
    life.steps.append(Step(change=change, cycle=cycle.id, at=cycle.at, stage=stage))
    life.stage = stage


def _dissolve(life: _Life, cycle: Cycle, *, again: bool = False) -> None:
    """End a trait. With `again`, its evidence still counts if more is found later."""
    life.dissolved, life.stage = True, "dissolved"
    life.fresh = life.fresh if again else len(life.items)
    life.formed = life.formed and again
    life.steps.append(Step(change="dissolved", cycle=cycle.id, at=cycle.at))


def _confidence(life: _Life, known: Known, now: datetime) -> float | None:
    """Return the confidence at a time; what the person confirmed does not decay."""
    if life.base is None or life.last is None:
        return None
    confirmed = known.decisions.get(life.pattern.key, Decision()).confirmed_at
    if confirmed is not None and confirmed <= now:
        return reinforced(life.base, "B")
    days = (now - life.last) / DAY
    return decayed(life.base, life.pattern.subtype, days=days, reinforcements=life.reinforcements)


def _alone(life: _Life, items: Sequence[Observation], cycle: Cycle) -> _Life:
    """Return a life of these observations alone, with nothing against them."""
    kept = {one.id for one in items}
    other = _Life(life.pattern, items=list(items), grades=[one for one in life.grades if one[0] in kept])
    other.base, other.first = BEHAVIOR_CONFIDENCE, items[0].at if items else cycle.at
    counted = min(BEHAVIOR_ITEMS, len(items))
    other.last = items[counted - 1].at if items else cycle.at
    other.reinforcements = counted
    for one, (_, grade) in zip(items[counted:], other.grades[counted:], strict=True):
        _reinforce(other, one, grade, cycle)
    return other


def _overruled(life: _Life, decision: Decision) -> bool:
    said = [one.at for one in life.items if one.form == "stated"]
    if decision.confirmed_at is not None:
        said.append(decision.confirmed_at)
    return any(one.form == "stated" and all(one.at > at for at in said) for one in life.against)


def _context_of(items: Sequence[Observation]) -> str:
    """Return the context of a trait: the one it was seen in, or `general` if there are several or none."""
    counts = Counter(one.context for one in items if one.context != "general")
    if not counts:
        return "general"
    [(label, most), *others] = counts.most_common()
    rest = others[0][1] if others else 0
    return label if most > SCATTERED * rest and rest < SPLIT_ITEMS else "general"


def _as_trait(life: _Life, known: Known, now: datetime, *, steps: bool) -> Trait:
    assert life.first is not None  # noqa: S101 # it began
    assert life.last is not None  # noqa: S101 # it began
    decision = known.decisions.get(life.pattern.key, Decision())
    confidence = None if life.base is None else _confidence(life, known, now)
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
        overruled=_overruled(life, decision),
    )
