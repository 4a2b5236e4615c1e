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
    rating_word: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    stream: ClassVar[str] = "conversation"
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationExcluded:
    """What is said in it from now on is not remembered: nothing is made of it, now or later."""

    stream: ClassVar[str] = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationIncluded:
    """What is said in it from now on is remembered again."""

    stream: ClassVar[str] = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRenamed:
    """It has another title, or none; which one is content."""

    stream: ClassVar[str] = "conversation"


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
    contradicts: UUID | None = None
    method: str | None = None
    level: str = "L1"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySupported:
    """Another message, or another signal of feedback, says the same."""

    stream: ClassVar[str] = "memory"
    message_id: UUID | None = None
    signal_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfirmed:
    """Its person says it is true."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDisputed:
    """It may contradict an older unit; both stay until their person decides."""

    stream: ClassVar[str] = "memory"
    contradicts: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryResolved:
    """It no longer contradicts: it supersedes a unit, or stands beside it (None)."""

    stream: ClassVar[str] = "memory"
    supersedes: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDisabled:
    """Kept, and not used."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEnabled:
    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryArchived:
    """Unused for long: out of the hot path, still listed, exported and forgotten."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUnarchived:
    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepointed:
    """It supersedes another unit now, or none: what stood between was erased, or was learned late."""

    stream: ClassVar[str] = "memory"
    supersedes: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConsolidated:
    """Nothing has replaced or contradicted it since its session: from L1 it goes to L2 (LT-04)."""

    stream: ClassVar[str] = "memory"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportAccepted:
    stream: ClassVar[str] = "operation"
    scope: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCompleted:
    """The package can be had."""

    stream: ClassVar[str] = "operation"
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportDownloaded:
    """Somebody began to read the package from its first byte."""

    stream: ClassVar[str] = "operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportWithdrawn:
    """The package cannot be had any more: its key is gone. `because`: `forgotten`, `expired` or `restored`."""

    stream: ClassVar[str] = "operation"
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportAccepted:
    """A package waits to be imported. `source`: which product wrote it."""

    stream: ClassVar[str] = "operation"
    source: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCompleted:
    """What a package held is there, as far as it was to be; `came` counts it by kind of record."""

    stream: ClassVar[str] = "operation"
    came: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportWithdrawn:
    """The package is not imported: its key is gone. `because`: `forgotten`, `expired` or `restored`."""

    stream: ClassVar[str] = "operation"
    because: str


Event: TypeAlias = (
    ConversationCreated
    | MessageRecorded
    | MessageCompleted
    | FeedbackGiven
    | SessionEnded
    | ConversationExcluded
    | ConversationIncluded
    | ConversationRenamed
    | ConversationCleared
    | ConversationErased
    | SettingsChanged
    | MemoryLearned
    | MemorySupported
    | MemoryConfirmed
    | MemoryDisputed
    | MemoryResolved
    | MemoryDisabled
    | MemoryEnabled
    | MemoryArchived
    | MemoryUnarchived
    | MemoryRepointed
    | MemoryConsolidated
    | MemoryErased
    | ForgetAccepted
    | OperationCancelled
    | OperationRetried
    | StepFailed
    | OperationSucceeded
    | ExportAccepted
    | ExportCompleted
    | ExportDownloaded
    | ExportWithdrawn
    | ImportAccepted
    | ImportCompleted
    | ImportWithdrawn
)
