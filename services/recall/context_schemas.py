"""Request and response bodies of an assistant's context."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from pydantic import Field

from services.api import Body, UserId
from services.context_fields import ContextFields
from shared.contexts.rules.slices import Route, Slice
from shared.language.script import Language
from shared.recall.prompts import Shortage
from shared.recall.rules.items import LAYERS, LIMIT, Kind, Layer, Mode, Superseded, Why, WhyNot
from shared.traits.rules.confidence import Stage

QUESTION_MAX = 4_000
BUDGET_MIN, BUDGET_MAX = 500, 200_000

ProjectId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.:\-]+$")]
Task = Annotated[str, Field(min_length=1, max_length=200)]
Budget = Annotated[int, Field(ge=BUDGET_MIN, le=BUDGET_MAX, strict=True)]
BUDGET_MEANS = (
    "Maximum tokens (o200k_base) of the prompt; default: the deployment's. Safety memories are always included."
)
PROJECT_MEANS = "Project whose memories to include with the global ones; default: the conversation's."
LANGUAGE_MEANS = "Language of the template and the reasons; default: the question's."


class Asked(Body):
    """A request for context; the question is in the body to keep it out of URLs."""

    user_id: UserId | None = None
    conversation_id: UUID | None = Field(
        default=None, description="Conversation whose summary, window and episodes are included."
    )
    project_id: ProjectId | None = Field(default=None, description=PROJECT_MEANS)
    task: Task | None = Field(
        default=None,
        description="The current task, in a few words; default: the last task named in the question, or else in the"
        " conversation's current session.",
    )
    token_budget: Budget | None = Field(default=None, description=BUDGET_MEANS)
    layers: Annotated[list[Layer], Field(min_length=1, max_length=len(LAYERS))] = Field(
        default=list(LAYERS), description="Layers to include; nothing is reported about the others."
    )
    language: Language | None = Field(default=None, description=LANGUAGE_MEANS)
    limit: Annotated[int, Field(ge=1, le=50, strict=True)] = Field(
        default=LIMIT,
        description="Maximum number of memories and episodes in the layer `retrieved`.",
    )
    superseded: Superseded = Field(
        default="hide",
        description="`label`: also return superseded memories, and mark them.",
    )

    @property
    def question(self) -> str:
        """The question; empty if there is none."""
        return ""


class RecallIn(Asked):
    """The question an assistant is about to answer, and the task it is for, if any.

    With a `route` or a `task_id` the answer begins with the slices of the person's context that this route is given.
    """

    query: Annotated[str, Field(max_length=QUESTION_MAX)] = ""
    route: Route | None = Field(default=None, description="Begins a task of this kind, unless `task_id` names one.")
    task_id: UUID | None = None
    user_context_overrides: ContextFields | None = Field(
        default=None,
        description="They win over everything stored. With a `task_id`: for this recall only; with a `route`: kept with"
        " the task it begins.",
    )

    @property
    def question(self) -> str:
        return self.query


class InjectionPreviewIn(Asked):
    """The question for which a person previews an assistant's context."""

    query_text: Annotated[str, Field(max_length=QUESTION_MAX)] | None = None

    @property
    def question(self) -> str:
        return self.query_text or ""


ConversationQuery = Annotated[UUID | None, Query(description="Conversation whose summary and window are included.")]
ProjectQuery = Annotated[
    str | None, Query(min_length=1, max_length=100, pattern=r"^[\w.:\-]+$", description=PROJECT_MEANS)
]
BudgetQuery = Annotated[int | None, Query(ge=BUDGET_MIN, le=BUDGET_MAX, description=BUDGET_MEANS)]
LanguageQuery = Annotated[Language | None, Query(description=LANGUAGE_MEANS)]


class InDocumentOut(Body):
    id: UUID
    title: str
    page: int | None = Field(description="Null where there are no pages.")


class OriginOut(Body):
    """Where an item comes from (MC-16); only `at` if no message shows it."""

    session_id: UUID | None = Field(description="The conversation.")
    session: int | None = Field(description="The session number in the conversation.")
    turn: int | None = Field(description="The turn; the first, if there are several.")
    message_ids: list[UUID]
    covers: tuple[int, int] | None = Field(description="For a summary: first and last seq covered.")
    document: InDocumentOut | None = Field(default=None, description="The uploaded document it is a part of.")
    origin: str | None = Field(
        default=None,
        description="Of a memory: `stated` on request or by hand, `extracted` from what the person said, or `learned`"
        " from their feedback.",
    )
    at: datetime


class ScoreOut(Body):
    total: float = Field(description="The ranking score; totals less than 0.0001 apart count as equal.")
    parts: dict[str, float] = Field(
        description="The parts of the total, by name. `semantic` is the similarity with the question, from 0 to 0.6; "
        "it does not depend on other results."
    )


class GivenOut(Body):
    """One part of the context."""

    id: UUID
    kind: Kind
    type: str = Field(description="A memory's content type, a message's role, `episode` or `summary`.")
    layer: Layer
    scope: str = Field(description="global, project or conversation; it is not used outside this scope.")
    project_id: str | None
    task_hint: str | None
    superseded: bool = Field(description="A newer memory has replaced it; returned only with `superseded: label`.")
    name: str | None = Field(description="The speaker's name, if the message has one.")
    content: str
    provenance: OriginOut
    level: Literal["L1", "L2"] | None = Field(description="For a memory: L1 as learned, L2 consolidated.")
    stage: Stage | None = Field(description="For a trait: how sure it is.")
    score: ScoreOut | None = Field(description="Null if the order is fixed.")
    reason: str = Field(description="Why it is included, in a sentence.")
    reason_code: Why
    tokens: int = Field(description="Number of tokens it uses in the prompt.")


class LeftOutOut(Body):
    """An item that the person can see but the assistant does not receive."""

    id: UUID
    kind: Kind
    type: str
    reason: str
    reason_code: WhyNot
    instead: UUID | None = Field(description="For a conflict: what holds instead, whether or not it is included.")


class ContextDiagnostics(Body):
    reasons: list[Shortage] = Field(
        description="What the context lacks, by code; `no_conversation` only says that none was named."
    )
    sentences: list[str] = Field(description="The reasons as sentences, one for each code.")


class TokensOut(Body):
    used: int = Field(description="Number of tokens in the whole prompt.")
    budget: int


class ContextTrace(Body):
    """Which slices of the person's context were loaded for a task, and which were not (FC-06)."""

    slices_loaded: list[Slice]
    slices_defaulted: list[Slice] = Field(description="Of those loaded: with the default of a cold start.")
    slices_skipped_missing: list[Slice]
    slices_blocked_by_consent: list[Slice]
    slices_cut: list[Slice] = Field(description="Of those loaded: shortened to their size.")
    total_memory_tokens_estimated: int


class HintOut(Body):
    """Something the client may tell the person after the result."""

    code: Literal["set_preferences"] = "set_preferences"


class ContextOut(Body):
    """The context an assistant receives, in prompt order."""

    items: list[GivenOut]
    window: list[GivenOut] = Field(
        description="The most recent messages, oldest first; included even if injection is off."
    )
    left_out: list[LeftOutOut]
    mode: Mode
    diagnostics: ContextDiagnostics
    language: Language
    prompt: str
    tokens: TokensOut
    stable_prefix_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(
        description="SHA-256 of the prompt's first `stable_prefix_bytes` UTF-8 bytes; independent of the question."
    )
    stable_prefix_bytes: int
    task_id: UUID | None = None
    user_context: str | None = Field(
        default=None, description="The block with a task's slices, as it stands in the prompt."
    )
    context_trace: ContextTrace | None = None
    hint: HintOut | None = Field(default=None, description="At most once in 24 hours for a person.")
