"""How traits, observations and reflections are exported and imported (MC-12, X-09)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.kernel.items import InPackages
from shared.kernel.records import Moment, Record
from shared.language.sensitivity.special import special_categories
from shared.traits.refold import fold_imported
from shared.traits.rules.confidence import Stage, Subtype
from shared.traits.rules.types import Context, Form
from shared.traits.sql import packing
from shared.traits.sql.reflections import Trigger

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Key = Annotated[str, Field(max_length=64, pattern=r"^[a-z][a-z-]*$")]


class Reflection(Record):
    """When somebody was reflected on, and what that counted."""

    id: UUID
    trigger: Trigger
    reason: str | None
    at: Moment
    counts: dict[str, Count]


class Observation(Record):
    """What a message, memory or feedback shows of a behavior; `shows` false: its contrary."""

    id: UUID
    trait_key: Key
    shows: bool
    form: Form
    context: Context
    conversation_id: UUID | None
    at_seq: int | None
    message_id: UUID | None
    memory_id: UUID | None
    feedback_id: UUID | None
    sure: Share
    observed_at: Moment
    reflection_id: UUID | None


class Tendency(Record):
    """What holds in one context."""

    trait_key: Key
    confidence: Share


class Trait(Record):
    """A pattern inferred about the person. What reflections compute is computed again when it is imported."""

    id: UUID
    trait_key: Key
    content: str = Field(max_length=1_000)
    edited: bool
    trait_subtype: Subtype
    trait_stage: Stage
    confidence: Share | None
    base_confidence: Share | None
    valid_from: Moment | None
    valid_until: Moment | None
    context: Literal["work", "personal", "social", "learning", "general", "contextual"]
    contexts: dict[str, Tendency]
    chosen_context: Context | None
    confirmed_at: Moment | None
    importance: Annotated[int, Field(ge=1, le=10)]
    first_observed: Moment
    last_reinforced: Moment
    reinforcement_count: Count
    contradiction_count: Count
    derived_from: Literal["reflection", "trend_promotion"]
    overruled: bool
    supporting: list[UUID] = Field(description="Observations, oldest first.")
    contradicting: list[UUID]
    recalled_in: list[UUID] = Field(
        default_factory=list, description="Reflections that found it used since the one before."
    )
    version: Count
    created_at: Moment
    updated_at: Moment


def _screened(record: Record, learnable: Callable[[str], str | None]) -> Record | None:
    """Refuse a wording that could not be written here."""
    assert isinstance(record, Trait)  # noqa: S101 # of this kind
    allowed = learnable(record.content) == record.content and not special_categories(record.content)
    return record if allowed else None


REFLECTIONS: Final = InPackages(
    form=Reflection, read=packing.reflections, refers_to={}, write={"reflections": packing.WRITE_REFLECTIONS}
)
OBSERVATIONS: Final = InPackages(
    form=Observation,
    read=packing.observations,
    refers_to={
        "message_id": "message",
        "memory_id": "memory",
        "feedback_id": "feedback",
        "reflection_id": "reflection",
    },
    write={"observations": packing.WRITE_OBSERVATIONS},
)
TRAITS: Final = InPackages(
    form=Trait,
    read=packing.traits,
    refers_to={},
    lists={"supporting": "observation", "contradicting": "observation", "recalled_in": "reflection"},
    write={
        "traits": packing.WRITE_TRAITS,
        "wordings of traits": packing.WRITE_WORDINGS,
        "recalls of traits": packing.WRITE_RECALLS,
    },
    after=fold_imported,
    screened=_screened,
)
