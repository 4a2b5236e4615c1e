"""Request and response bodies of exports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, model_validator

from services.api import Body, UserId

SELECTED_MAX = 2_000


class ExportIn(Body):
    """What to take along: everything, one conversation, or some messages and memories by id."""

    scope: Literal["user", "conversation", "selection"]
    user_id: UserId | None = None
    conversation_id: UUID | None = None
    ids: Annotated[list[UUID], Field(min_length=1, max_length=SELECTED_MAX)] | None = Field(
        default=None, description="For a selection: messages and memories."
    )
    format: Literal["zip", "json", "markdown"] = Field(
        default="zip", description="`json`: the same in one document. `markdown`: the part for people alone."
    )
    language: Literal["en", "zh"] = Field(default="en", description="Of the part for people.")
    confirmation: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="For everything: that its person was asked (MC-17)."
    )

    @model_validator(mode="after")
    def names_its_target(self) -> ExportIn:
        if (self.scope == "conversation") != (self.conversation_id is not None):
            raise ValueError("conversation_id belongs to scope conversation")
        if (self.scope == "selection") != (self.ids is not None):
            raise ValueError("ids belong to scope selection")
        return self


class ExportOut(Body):
    """A package that can be had, or will be."""

    op_id: UUID
    scope: Literal["user", "conversation", "selection"]
    conversation_id: UUID | None
    format: Literal["zip", "json", "markdown"]
    language: Literal["en", "zh"]
    ready: bool
    bytes: int | None = Field(description="With the next three: null until it is ready.")
    sha256: str | None
    exported_at: datetime | None = Field(description="The moment whose state it shows.")
    expires_at: datetime | None = Field(description="Then it goes by itself; before, with a forget of something in it.")
