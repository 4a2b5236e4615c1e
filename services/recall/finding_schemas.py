"""Request and response bodies of finding what to forget."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from services.api import Body, UserId
from shared.language.meaning import Reason

NothingCode: TypeAlias = Literal["nothing_named", "everything", "nothing_matches"]


class FindIn(Body):
    """A description in a body, never in a URL."""

    user_id: UserId | None = None
    description: Annotated[str, Field(min_length=1, max_length=1_000)]
    project_id: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        default=None, description="Look only at memories and conversations of this project; default: at all."
    )
    limit: Annotated[int, Field(ge=1, le=1_000)] = 500


class ReasonOut(Body):
    code: Reason
    words: str = Field(description="In the language of the description.")


class PartOut(Body):
    """What would go of a text: half-open character offsets in it."""

    start: int
    end: int
    text: str


class CandidateOut(Body):
    id: UUID
    kind: Literal["memory", "message"]
    content: str
    parts: list[PartOut] | None = Field(description="Only these parts would go, the rest would stay; null: all of it.")
    reasons: list[ReasonOut]
    sure: bool = Field(description="Whether it goes unless it is left out; what is not sure goes only by its id.")
    role: str | None = Field(description="Of a message: who said it.")
    content_type: str | None = Field(description="Of a memory.")
    conversation_id: UUID | None
    said_at: datetime


class FoundToForgetOut(Body):
    candidates: list[CandidateOut] = Field(description="Nothing was changed.")
    token: str | None = Field(
        description="For forget/preview and forget with scope selection; good for 15 minutes. Null without candidates."
    )
    more: bool = Field(description="Whether there is more than `limit`; find again once these are forgotten.")
    nothing: NothingCode | None = Field(description="Why there is no candidate.")
