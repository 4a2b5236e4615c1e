"""Request and response bodies of an assistant's context."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from pydantic import Field

from services.api import Body, UserId
from shared.language.script import Language
from shared.recall.prompts import Shortage
from shared.recall.rules.items import LAYERS, Kind, Layer, Mode, Superseded, Why, WhyNot

QUESTION_MAX = 4_000
BUDGET_MIN, BUDGET_MAX = 500, 200_000

ProjectId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.:\-]+$")]
Task = Annotated[str, Field(min_length=1, max_length=200)]
Budget = Annotated[int, Field(ge=BUDGET_MIN, le=BUDGET_MAX, strict=True)]
BUDGET_MEANS = "Most tokens (o200k_base) of the whole prompt; default: the deployment's. Safety stays even so."
PROJECT_MEANS = "Whose memories to include beside the global ones; default: the conversation's."
LANGUAGE_MEANS = "Of the template and the reasons; default: the question's."


class Asked(Body):
    """What is asked for, whoever asks: the question travels in a body, never in a URL."""

    user_id: UserId | None = None
    conversation_id: UUID | None = Field(default=None, description="Its summary, window and episodes are included.")
    project_id: ProjectId | None = Field(default=None, description=PROJECT_MEANS)
    task: Task | None = Field(
        default=None,
        description="What is being worked on, in a few words; default: what the question, or before it the running"
        " session of the conversation, named last.",
    )
    token_budget: Budget | None = Field(default=None, description=BUDGET_MEANS)
    layers: Annotated[list[Layer], Field(min_length=1, max_length=len(LAYERS))] = Field(
        default=list(LAYERS), description="Which of them to give; what of the others there is, is not told."
    )
    language: Language | None = Field(default=None, description=LANGUAGE_MEANS)
    limit: Annotated[int, Field(ge=1, le=50, strict=True)] = Field(
        default=20, description="Most memories and episodes to retrieve."
    )
    superseded: Superseded = Field(
        default="hide",
        description="`label`: memories something newer took the place of are found, too, and marked.",
    )

    @property
    def question(self) -> str:
        """The question; empty if there is none."""
        return ""


class RecallIn(Asked):
    """What an assistant is about to answer."""

    query: Annotated[str, Field(max_length=QUESTION_MAX)] = ""

    @property
    def question(self) -> str:
        return self.query


class PreviewIn(Asked):
    """What a person wants to see: the context an assistant would be given for a question."""

    query_text: Annotated[str, Field(max_length=QUESTION_MAX)] | None = None

    @property
    def question(self) -> str:
        return self.query_text or ""


ConversationQuery = Annotated[UUID | None, Query(description="Its summary and window are included.")]
ProjectQuery = Annotated[
    str | None, Query(min_length=1, max_length=100, pattern=r"^[\w.:\-]+$", description=PROJECT_MEANS)
]
BudgetQuery = Annotated[int | None, Query(ge=BUDGET_MIN, le=BUDGET_MAX, description=BUDGET_MEANS)]
LanguageQuery = Annotated[Language | None, Query(description=LANGUAGE_MEANS)]


class OriginOut(Body):
    """Where something comes from (MC-16); only `at` where no message shows it."""

    session_id: UUID | None = Field(description="The conversation.")
    session: int | None = Field(description="The stretch of the conversation.")
    turn: int | None = Field(description="The first, if it comes from several.")
    message_ids: list[UUID]
    covers: tuple[int, int] | None = Field(description="Of a summary: first and last seq.")
    at: datetime


class ScoreOut(Body):
    total: float = Field(description="What it is ranked by; totals less than 0.0001 apart are equal.")
    parts: dict[str, float] = Field(
        description="What the total is made of, by name. `semantic` is how near in meaning it is to the question: "
        "between 0 and 0.6, whatever else was found."
    )


class GivenOut(Body):
    """One part of the context."""

    id: UUID
    kind: Kind
    type: str = Field(description="A memory's content type, `episode`, `summary`, or a message's role.")
    layer: Layer
    scope: str = Field(description="global, project, or conversation: it never leaves that.")
    project_id: str | None
    task_hint: str | None
    superseded: bool = Field(description="Something newer took its place; given with superseded label only.")
    name: str | None = Field(description="Who spoke, if the message says so.")
    content: str
    provenance: OriginOut
    level: Literal["L1", "L2"] | None = Field(description="Of a memory: as it was learned, or consolidated.")
    score: ScoreOut | None = Field(description="Null where the order is fixed.")
    reason: str = Field(description="Why it is given, in a sentence.")
    reason_code: Why
    tokens: int = Field(description="What it takes in the prompt.")


class LeftOutOut(Body):
    """Something its person can see, and the assistant is not given."""

    id: UUID
    kind: Kind
    type: str
    reason: str
    reason_code: WhyNot
    instead: UUID | None = Field(description="Of a conflict: what is given in its place.")


class ContextDiagnostics(Body):
    reasons: list[Shortage] = Field(description="Why there is less than there could be.")
    sentences: list[str] = Field(description="The same in words, one for each.")


class TokensOut(Body):
    used: int = Field(description="Of the whole prompt.")
    budget: int


class ContextOut(Body):
    """What an assistant is given, in the order of the prompt."""

    items: list[GivenOut]
    window: list[GivenOut] = Field(description="The most recent messages, oldest first; stays without injection.")
    left_out: list[LeftOutOut]
    mode: Mode
    diagnostics: ContextDiagnostics
    language: Language
    prompt: str
    tokens: TokensOut
    stable_prefix_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(
        description="SHA-256 of the prompt's first `stable_prefix_bytes` bytes in UTF-8; no question changes it."
    )
    stable_prefix_bytes: int
