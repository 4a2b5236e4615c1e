"""The wire format of intake, and its limits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from services.edge import Body, UserId

CONTENT_MAX = 32_000
BATCH_MAX = 100

ProjectId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.:\-]+$")]
ShortText = Annotated[str, Field(min_length=1, max_length=200)]
Content = Annotated[str, Field(min_length=1, max_length=CONTENT_MAX)]
Role = Literal["user", "assistant", "tool", "system"]


class NewConversation(Body):
    user_id: UserId | None = None
    project_id: ProjectId | None = None
    title: ShortText | None = None


class ConversationOut(Body):
    id: UUID
    project_id: str | None
    title: str | None
    session: int
    message_count: int
    created_at: datetime
    updated_at: datetime


class ConversationCreatedOut(Body):
    id: UUID


class MessageIn(Body):
    role: Role
    content: Content
    completed: bool = True
    client_message_id: ShortText | None = None
    spoken_at: AwareDatetime | None = Field(default=None, description="Default: when it arrives.")
    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    task_hint: ShortText | None = None


class MessagesIn(Body):
    conversation_id: UUID
    user_id: UserId | None = None
    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=BATCH_MAX)]


class RecordedOut(Body):
    id: UUID
    outcome: Literal["recorded", "completed", "repeated", "erased"]


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


class FeedbackIn(Body):
    """Either vocabulary: `action` with `evidence_ref`, or `rating` and `comment` about `related_object_ref`."""

    user_id: UserId | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    action: Literal["accept", "reject", "partial"] | None = None
    evidence_ref: ShortText | None = None
    related_object_ref: ShortText | None = None
    rating: Annotated[int, Field(ge=-5, le=5)] | None = None
    comment: Annotated[str, Field(min_length=1, max_length=4_000)] | None = None


class FeedbackOut(Body):
    id: UUID


class ClearIn(Body):
    conversation_id: UUID
    user_id: UserId | None = None


class SessionEndedOut(Body):
    conversation_id: UUID
    session: int


class AcceptedOut(Body):
    """The work goes on; nothing of the target is served from now on."""

    status: Literal["accepted"] = "accepted"
    op_id: UUID
    receipt_id: UUID | None = None


class TraceOut(Body):
    request_id: str
    data: dict[str, Any]
    created_at: datetime
