"""Request and response bodies of exports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, model_validator

from services.api import Body, UserId

SELECTED_MAX = 2_000


class ExportIn(Body):
    """What to export: everything, one conversation, or messages and memories by id."""

    scope: Literal["user", "conversation", "selection"]
    user_id: UserId | None = None
    conversation_id: UUID | None = None
    ids: Annotated[list[UUID], Field(min_length=1, max_length=SELECTED_MAX)] | None = Field(
        default=None, description="For scope selection: ids of messages and memories."
    )
    format: Literal["zip", "json", "markdown", "finclaw"] = Field(
        default="json",
        description="`json`: all data in one document. `zip`: the same in several files, with one to read. `markdown`:"
        " only that one. `finclaw`: consents, contexts, drift and candidates of everything, a file each.",
    )
    language: Literal["en", "zh"] = Field(default="en", description="Language of the human-readable part.")
    confirmation: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="For scope user: true, to confirm that the person was asked (MC-17)."
    )

    @model_validator(mode="after")
    def names_its_target(self) -> ExportIn:
        if (self.scope == "conversation") != (self.conversation_id is not None):
            raise ValueError("conversation_id belongs to scope conversation")
        if (self.scope == "selection") != (self.ids is not None):
            raise ValueError("ids belong to scope selection")
        if self.format == "finclaw" and self.scope != "user":
            raise ValueError("the layout finclaw is of everything")
        return self


class ExportOut(Body):
    """An export package, ready or in progress."""

    op_id: UUID
    scope: Literal["user", "conversation", "selection"]
    conversation_id: UUID | None
    format: Literal["zip", "json", "markdown", "finclaw"]
    language: Literal["en", "zh"]
    ready: bool
    bytes: int | None = Field(description="Like the next three fields: null until the package is ready.")
    sha256: str | None
    exported_at: datetime | None = Field(description="The time of the exported state.")
    expires_at: datetime | None = Field(description="When it is deleted; earlier if something in it is forgotten.")
