"""Request and response bodies of traits (TR-01 to TR-13)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import Field

from services.api import Body, UserId
from services.memory_center.memory_schemas import MemoryEmotion
from shared.traits.rules.confidence import Grade, Stage, Subtype
from shared.traits.rules.types import Context, Form
from shared.traits.sql.reflections import Trigger

CONTENT_MAX: Final = 160

TraitContext = Literal["work", "personal", "social", "learning", "general", "contextual"]


class TendencyOut(Body):
    tendency: str = Field(description="The behavior that the person shows in this context.")
    confidence: float


class ValidWindowOut(Body):
    start: datetime
    end: datetime


class SupportOut(Body):
    id: UUID = Field(description="The message, memory or feedback.")
    quality: Grade | None = Field(
        description="A: seen in another context; B: stated by the person; C: in another conversation; D: again in the "
        "same one, or measured."
    )


class TraitEvidenceOut(Body):
    supporting: list[SupportOut]
    contradicting: list[SupportOut]
    child_traits: list[UUID]
    parent_trait: UUID | None = Field(description="The first of `parent_traits`.")
    parent_traits: list[UUID]


class TraitOut(Body):
    """A pattern inferred from what the person said and did in several conversations, never from one."""

    id: UUID
    content: str
    wordings: dict[str, str] | None = Field(
        description="The sentence of the catalogue in each language (`en`, `zh`); null if the person worded it."
    )
    trait_key: str = Field(description="The entry of the catalogue.")
    trait_subtype: Subtype
    trait_stage: Stage = Field(
        description="As of the last reflection. `trend` and `candidate` are not used, `dissolved` no longer holds."
    )
    confidence: float | None = Field(description="From 0 to 1, decayed until now; null for a trend.")
    valid_window: ValidWindowOut | None = Field(description="Only for a trend: what is seen again by its end may stay.")
    context: TraitContext
    contexts: dict[str, TendencyOut] | None = Field(description="Only if behavior differs by context.")
    chosen_context: Context | None = Field(description="The context to which the person confined it.")
    first_observed: datetime
    last_reinforced: datetime
    reinforcement_count: int
    contradiction_count: int
    conversations: int = Field(description="In how many conversations it was seen.")
    derived_from: Literal["reflection", "trend_promotion"]
    importance: int
    emotion: MemoryEmotion | None = Field(
        description="What the person felt about the evidence, on average, and the word they used most; null unless "
        "the deployment shows it, and never of work."
    )
    confirmed: bool
    edited: bool
    used: bool = Field(description="Whether the assistant may be told about it.")
    evidence: TraitEvidenceOut
    reflection_cycle_ids: list[UUID]
    version: int
    created_at: datetime
    updated_at: datetime


class PieceOut(Body):
    """One piece of evidence, with what was said."""

    id: UUID
    source_kind: Literal["message", "memory", "feedback"]
    source_id: UUID
    conversation_id: UUID | None
    side: Literal["supporting", "contradicting"]
    quality: Grade | None
    weight: float | None = Field(description="The share of the remaining doubt it removes; null if it contradicts.")
    form: Form
    context: Context
    quote: str | None = Field(description="What was said, at most 300 characters; null for feedback without words.")
    at: datetime


class TraitExplanationOut(Body):
    trait: TraitOut
    evidence: list[PieceOut] = Field(description="Oldest first.")
    children: list[TraitOut] = Field(description="What a preference or core trait rests on.")
    parents: list[TraitOut]


class TraitEventOut(Body):
    type: str
    at: datetime
    actor: str
    data: dict[str, Any]


class TraitHistoryOut(Body):
    events: list[TraitEventOut] = Field(description="Oldest first; only ids, numbers and enums.")


class TraitPatch(Body):
    """What the person decides. Fields that are left out do not change."""

    user_id: UserId | None = None
    content: Annotated[str, Field(min_length=1, max_length=CONTENT_MAX, pattern=r"\S")] = Field(
        default=None,  # type: ignore[assignment]  # absent, never null
        description="A new wording, which replaces the old one and confirms the trait.",
    )
    confirmed: Annotated[bool, Field(strict=True)] = Field(
        default=None,  # type: ignore[assignment]
        description="True: it is right, and no longer decays.",
    )
    context: Context | None = Field(
        default=None, description="The only context in which it holds; null: wherever seen."
    )


class RefusedOut(Body):
    """A trait that the person said is not so."""

    trait_key: str
    wordings: dict[str, str]


class ReflectIn(Body):
    user_id: UserId | None = None
    reason: Literal["topic_switch", "session_end", "working_memory", "other"] = "other"


class QueuedOut(Body):
    status: Literal["queued"] = "queued"


class ReflectionOut(Body):
    id: UUID
    trigger: Trigger
    reason: str | None
    at: datetime
    counts: dict[str, int]
