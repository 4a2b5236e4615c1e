"""Request and response bodies of finding what to forget."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from services.api import Body, TimeZone, UserId
from shared.language.meaning import Reason

NothingCode: TypeAlias = Literal["nothing_named", "everything", "nothing_matches"]


class FindIn(Body):
    """A description of what to forget, in the body to keep it out of URLs."""

    user_id: UserId | None = None
    description: Annotated[str, Field(min_length=1, max_length=1_000)]
    project_id: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        default=None, description="Search only memories and conversations of this project; default: all."
    )
    limit: Annotated[int, Field(ge=1, le=1_000)] = 500
    time_zone: TimeZone | None = Field(
        default=None,
        description="Where days begin, for “today”: a name of the IANA database; not kept. Default: UTC.",
    )


class ReasonOut(Body):
    code: Reason
    words: str = Field(description="The reason in words, in the language of the description.")


class PartOut(Body):
    """A part of a text that would be erased, as half-open character offsets."""

    start: int
    end: int
    text: str


class CandidateOut(Body):
    id: UUID
    kind: Literal["memory", "message"]
    content: str
    parts: list[PartOut] | None = Field(description="Only these parts would be erased; null: the whole text.")
    reasons: list[ReasonOut]
    sure: bool = Field(description="True: included in the forget by default. False: forgotten only if you list its id.")
    role: str | None = Field(description="For a message: its role.")
    content_type: str | None = Field(description="For a memory: its content type.")
    conversation_id: UUID | None
    said_at: datetime


class FoundToForgetOut(Body):
    candidates: list[CandidateOut] = Field(description="What could be forgotten; nothing has changed yet.")
    token: str | None = Field(
        description="For forget/preview and forget with scope selection; valid for 15 minutes. Null if no candidates."
    )
    more: bool = Field(description="Whether there are more than `limit`; search again after forgetting these.")
    nothing: NothingCode | None = Field(description="Why there are no candidates.")
