"""Request and response bodies of intake, and their limits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, Field, Strict, model_validator

from services.api import Body, FeedbackReason, UndoSeconds, UserId
from services.metadata import ConversationExternalId, Flat, MessageMetadata
from shared.kernel import limits
from shared.preferences.rules import EVIDENCE_MAX, RatingWord

BATCH_MAX = 100

ProjectId = Annotated[str, Field(min_length=1, max_length=limits.PROJECT_ID_MAX, pattern=limits.PROJECT_ID)]
ShortText = Annotated[str, Field(min_length=1, max_length=limits.SHORT_MAX)]
Content = Annotated[str, Field(min_length=1, max_length=limits.MESSAGE_MAX)]
Remember = Annotated[
    bool,
    Strict(),
    Field(description="False: shown in the window, but never used for a summary, episode or memory."),
]
Role = Literal["user", "assistant", "tool", "system"]


def _within_calendar(moment: datetime) -> datetime:
    if not limits.EARLIEST <= moment < limits.BEFORE:
        raise ValueError("outside the years 1900 to 2999")
    return moment


SpokenAt = Annotated[AwareDatetime, AfterValidator(_within_calendar)]


class NewConversation(Body):
    user_id: UserId | None = None
    project_id: ProjectId | None = None
    title: ShortText | None = None
    external_id: ConversationExternalId | None = None
    remember: Remember = True


class ConversationPatch(Body):
    """Changes to a conversation; absent fields do not change."""

    user_id: UserId | None = None
    remember: Remember = Field(default=None)  # type: ignore[assignment]  # absent, never null
    title: ShortText | None = Field(default=None, description="Null: remove the title.")

    @model_validator(mode="after")
    def changes_something(self) -> ConversationPatch:
        if not self.model_fields_set & {"remember", "title"}:
            raise ValueError("remember or title is needed")
        return self


class ConversationOut(Body):
    id: UUID
    project_id: str | None
    title: str | None
    external_id: str | None
    session: int
    remember: bool = Field(description="Whether new messages are remembered.")
    message_count: int
    opening: str | None = Field(
        description="Beginning of the first remaining message, to show if there is no title. It is not stored: when"
        " that message is forgotten, the next one is used. Sensitive parts are masked."
    )
    created_at: datetime
    updated_at: datetime


class ConversationSearchIn(Body):
    """Words to search for, in the body to keep them out of URLs."""

    user_id: UserId | None = None
    query: Annotated[str, Field(min_length=1, max_length=limits.SHORT_MAX)]
    limit: Annotated[int, Field(ge=1, le=50, strict=True)] = 20


class FoundConversationOut(ConversationOut):
    message_id: UUID | None = Field(description="The newest message with all the words; null: only the title has them.")
    quote: str | None = Field(description="Text around the first word found in it, with sensitive parts masked.")


class ConversationCreatedOut(Body):
    id: UUID


class MessageIn(Body):
    role: Role
    content: Content
    completed: Annotated[bool, Strict()] = True
    client_message_id: ShortText | None = None
    spoken_at: SpokenAt | None = Field(
        default=None, description="From 1900 on; default, and at the latest: the time of arrival."
    )
    name: Annotated[str, Field(min_length=1, max_length=limits.NAME_MAX)] | None = None
    task_hint: ShortText | None = None
    remember: Remember = True
    metadata: MessageMetadata | None = None
    answers: UUID | None = Field(
        default=None,
        description="The message this one answers: if that was forgotten meanwhile, this one is not recorded.",
    )


class MessagesIn(Body):
    conversation_id: UUID
    user_id: UserId | None = None
    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=BATCH_MAX)]


class RecordedOut(Body):
    id: UUID
    outcome: Literal["recorded", "completed", "repeated", "erased"] = Field(
        description="`erased`: it, or what it answers, was forgotten, so it was not recorded."
    )


class MessagesRecordedOut(Body):
    messages: list[RecordedOut]


class MessageOut(Body):
    id: UUID
    conversation_id: UUID
    seq: int
    turn: int
    session: int
    role: Role
    completed: bool
    content: str
    name: str | None
    task_hint: str | None
    client_message_id: str | None
    spoken_at: datetime
    recorded_at: datetime
    metadata: Flat | None


Evidence = Annotated[str, Field(max_length=EVIDENCE_MAX, description="Subject of the action: a short text or a label.")]


class FeedbackIn(Body):
    """Send `action` with `evidence_ref`, or `rating` and `comment` with `related_object_ref`."""

    user_id: UserId | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    action: Literal["accept", "reject", "partial"] | None = None
    evidence_ref: Evidence | None = None
    related_object_ref: ShortText | None = None
    rating: Annotated[int, Field(ge=limits.RATING_MIN, le=limits.RATING_MAX, strict=True)] | RatingWord | None = None
    comment: Annotated[str, Field(min_length=1, max_length=limits.COMMENT_MAX)] | None = None
    reason: FeedbackReason | None = None

    @model_validator(mode="after")
    def says_something(self) -> FeedbackIn:
        if self.action is None and self.rating is None and self.comment is None:
            raise ValueError("an action, a rating or a comment is needed")
        return self


class FeedbackOut(Body):
    id: UUID


class ClearIn(Body):
    conversation_id: UUID
    user_id: UserId | None = None
    undo_seconds: UndoSeconds = 0


class SessionEndedOut(Body):
    conversation_id: UUID
    session: int


class TraceOut(Body):
    request_id: str
    data: dict[str, Any]
    created_at: datetime
