"""What traits are computed from, and what is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from shared.traits.rules.confidence import PRESENT, Grade, Stage, Subtype

Context: TypeAlias = Literal["work", "personal", "social", "learning", "general"]
Form: TypeAlias = Literal["told", "stated", "signal"]
"""How an observation was made: in passing, by a statement about oneself, or measured on the message itself."""
Change: TypeAlias = Literal[
    "observed", "reinforced", "contradicted", "promoted", "revised", "split", "decayed", "dissolved", "recalled"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One entry of the vocabulary.

    Args:
        parents: the keys it is evidence for.
        opposite: the key that it contradicts, if any.
        mood: whether it is how somebody feels: such a trend is watched for a shorter time, and never at work.
    """

    key: str
    subtype: Subtype
    parents: tuple[str, ...] = ()
    opposite: str | None = None
    mood: bool = False

    def may_show(self, context: Context) -> bool:
        """Return whether it may be inferred there: no mood at work (regulation (EU) 2024/1689, article 5(1)(f))."""
        return not (self.mood and context == "work")


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
    """One reflection. `grouped`: behaviors could become preferences and core traits in it."""

    id: UUID
    at: datetime
    grouped: bool = True


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
    """A trait at `Known.now`, from what the reflections until then counted.

    Args:
        confidence: from 0 to 1, decayed until `Known.now`; None for a trend.
        base: the confidence at the last reinforcement.
        contexts: the tendency in each context, if they differ; then `context` is `contextual`.
        supporting: its evidence with grades, in the order in which it was counted.
        qualified: if much speaks against it and it still holds: the context in which that was seen, or `sometimes`.
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
    qualified: str | None = None
    overruled: bool = False

    @property
    def present(self) -> bool:
        """Whether an assistant may be told about it."""
        return self.stage in PRESENT
