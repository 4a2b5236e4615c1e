"""What can happen, in the past tense. Events hold ids, times, numbers and enums; never what a person wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, TypeAlias
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationCreated:
    stream: ClassVar[str] = "conversation"
    project_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecorded:
    stream: ClassVar[str] = "conversation"
    message_id: UUID
    seq: int
    turn: int
    session: int
    role: str
    completed: bool
    spoken_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCompleted:
    stream: ClassVar[str] = "conversation"
    message_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackGiven:
    stream: ClassVar[str] = "conversation"
    feedback_id: UUID
    message_id: UUID | None
    action: str | None
    rating: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    stream: ClassVar[str] = "conversation"
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationCleared:
    """Everything up to and including `through` (a message seq) is forgotten; the conversation stays."""

    stream: ClassVar[str] = "conversation"
    operation_id: UUID
    through: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationErased:
    """All that is left of a conversation's stream."""

    stream: ClassVar[str] = "conversation"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """The complete switches after the change (MC-06, CN-02)."""

    stream: ClassVar[str] = "settings"
    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool
    preference_learning_enabled: bool
    privacy_mode_enabled: bool
    preference_learning_threshold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLearned:
    """A memory unit came to be; its text and task hint are content and live elsewhere."""

    stream: ClassVar[str] = "memory"
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    importance: int
    taboo: bool
    supersedes: UUID | None
    conversation_id: UUID | None
    spoken_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepointed:
    """What this unit superseded was erased; it supersedes that one's predecessor now, if any."""

    stream: ClassVar[str] = "memory"
    supersedes: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryErased:
    """All that is left of a memory's stream."""

    stream: ClassVar[str] = "memory"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAccepted:
    """From here nothing of it is served."""

    stream: ClassVar[str] = "operation"
    scope: str
    hidden: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCancelled:
    """What it hid is there again."""

    stream: ClassVar[str] = "operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRetried:
    stream: ClassVar[str] = "operation"
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFailed:
    """A step gave up for now; `code` says why, without content."""

    stream: ClassVar[str] = "operation"
    step: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSucceeded:
    """Every store was searched and found empty, and the receipt is signed."""

    stream: ClassVar[str] = "operation"


Event: TypeAlias = (
    ConversationCreated
    | MessageRecorded
    | MessageCompleted
    | FeedbackGiven
    | SessionEnded
    | ConversationCleared
    | ConversationErased
    | SettingsChanged
    | MemoryLearned
    | MemoryRepointed
    | MemoryErased
    | ForgetAccepted
    | OperationCancelled
    | OperationRetried
    | StepFailed
    | OperationSucceeded
)
