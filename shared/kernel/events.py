"""Domain events, named in the past tense. They hold ids, times, numbers and enums, never what a person wrote."""

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
    """New messages in this conversation are not remembered: nothing is derived from them, now or later."""

    stream: ClassVar[str] = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationIncluded:
    """New messages in this conversation are remembered again."""

    stream: ClassVar[str] = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRenamed:
    """The title was changed or removed. The title itself is content and not part of the event."""

    stream: ClassVar[str] = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationCleared:
    """All messages up to and including `through` (a message seq) were forgotten; the conversation remains."""

    stream: ClassVar[str] = "conversation"
    operation_id: UUID
    through: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationErased:
    """Replaces the stream of an erased conversation."""

    stream: ClassVar[str] = "conversation"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """All settings after the change (MC-06, CN-02)."""

    stream: ClassVar[str] = "settings"
    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool
    preference_learning_enabled: bool
    privacy_mode_enabled: bool
    preference_learning_threshold: int
    traits_enabled: bool = True
    time_zone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGranted:
    """The person agreed to these scopes; the stream is the person's."""

    stream: ClassVar[str] = "consent"
    consent_id: UUID
    version: int
    scopes: list[str]
    text_version: str
    locale: str
    channel: str
    at: datetime
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentScopeRevoked:
    """Some scopes of a grant were withdrawn. `consent_id` is the version this made."""

    stream: ClassVar[str] = "consent"
    consent_id: UUID
    version: int
    scopes: list[str]
    at: datetime
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRevoked:
    """Every scope of a grant was withdrawn."""

    stream: ClassVar[str] = "consent"
    consent_id: UUID
    version: int
    scopes: list[str]
    at: datetime
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRecorded:
    """The operation that proves a grant was accepted."""

    stream: ClassVar[str] = "operation"
    consent_id: UUID
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextsBlocked:
    """The operation that proves that so many contexts of a thread are never loaded again."""

    stream: ClassVar[str] = "operation"
    contexts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStarted:
    stream: ClassVar[str] = "task"
    route: str
    conversation_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEnded:
    stream: ClassVar[str] = "task"
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSaved:
    """What the person said about how to work for them was stored. The fields are content."""

    stream: ClassVar[str] = "context"
    scope: str
    written_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBlocked:
    """A thread's context is kept and no longer loaded."""

    stream: ClassVar[str] = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextExpired:
    """A task's context reached its end and is erased."""

    stream: ClassVar[str] = "context"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAdded:
    """A document was uploaded. Its title and text are content."""

    stream: ClassVar[str] = "document"
    media_type: str
    size: int
    pages: int | None
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftObserved:
    stream: ClassVar[str] = "drift"
    signal_kind: str
    triggers_alert: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateMade:
    """Something might be used for training one day; its person agreed to that."""

    stream: ClassVar[str] = "candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRevoked:
    stream: ClassVar[str] = "candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLearned:
    """A memory was created. Its text and task hint are content and stored elsewhere."""

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
    """Another message or feedback signal supports this memory."""

    stream: ClassVar[str] = "memory"
    message_id: UUID | None = None
    signal_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfirmed:
    """The person confirmed that the memory is true."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDisputed:
    """The memory may contradict an older one; both remain until the person decides."""

    stream: ClassVar[str] = "memory"
    contradicts: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryResolved:
    """The contradiction was resolved: the memory supersedes another, or both remain (None)."""

    stream: ClassVar[str] = "memory"
    supersedes: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDisabled:
    """The memory is kept but not used."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEnabled:
    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryArchived:
    """The memory was unused for a long time: excluded from recall, still listed, exported and forgotten."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUnarchived:
    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepointed:
    """The memory now supersedes a different memory, or none: one between them was erased, or was learned later."""

    stream: ClassVar[str] = "memory"
    supersedes: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConsolidated:
    """Nothing replaced or contradicted the memory since its session: it moves from level L1 to L2 (LT-04)."""

    stream: ClassVar[str] = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryErased:
    """Replaces the stream of an erased memory."""

    stream: ClassVar[str] = "memory"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitObserved:
    """A reflection found a pattern: `trait_key` is an entry of the catalogue, never what a person wrote."""

    stream: ClassVar[str] = "trait"
    trait_key: str
    cycle_id: UUID
    at: datetime
    stage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitReinforced:
    """A piece of evidence was counted, with its grade from A to D."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime
    observation_id: UUID
    grade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitContradicted:
    """So many pieces of evidence spoke against it."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitPromoted:
    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRevised:
    """Much spoke against it; after a review it stays."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitSplit:
    """It depends on the context: one tendency holds in one, its opposite in another."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitDecayed:
    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitDissolved:
    """It no longer holds: contradicted, not seen again, or forgotten with time."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRecalled:
    """The assistant was told about it since the reflection before."""

    stream: ClassVar[str] = "trait"
    cycle_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitConfirmed:
    """The person said that it is right, or with `confirmed` false took that back."""

    stream: ClassVar[str] = "trait"
    at: datetime
    confirmed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitConfined:
    """The person said in which context it holds; None for wherever it was seen."""

    stream: ClassVar[str] = "trait"
    at: datetime
    context: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitEdited:
    """The person worded it anew. The wording is content and not part of the event."""

    stream: ClassVar[str] = "trait"
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitErased:
    """Replaces the stream of an erased trait."""

    stream: ClassVar[str] = "trait"
    operation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionRun:
    """A reflection counted new evidence; `counts` are numbers by what they count."""

    stream: ClassVar[str] = "reflection"
    trigger: str
    at: datetime
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAccepted:
    """From this event on, nothing that the forget operation covers is returned."""

    stream: ClassVar[str] = "operation"
    scope: str
    hidden: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCancelled:
    """The items that the operation hid are visible again."""

    stream: ClassVar[str] = "operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRetried:
    stream: ClassVar[str] = "operation"
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFailed:
    """A step failed and will be retried later; `code` is the reason, without content."""

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
    """The package can be downloaded."""

    stream: ClassVar[str] = "operation"
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportDownloaded:
    """A download of the package started from its first byte."""

    stream: ClassVar[str] = "operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportWithdrawn:
    """The package can no longer be downloaded: its key was deleted. `because`: `forgotten`, `expired` or `restored`."""

    stream: ClassVar[str] = "operation"
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportAccepted:
    """A package is waiting to be imported. `source`: the product that wrote it."""

    stream: ClassVar[str] = "operation"
    source: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCompleted:
    """The package was imported; `came` counts the imported records by kind."""

    stream: ClassVar[str] = "operation"
    came: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportWithdrawn:
    """The package will not be imported: its key was deleted. `because`: `forgotten`, `expired` or `restored`."""

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
    | ConsentGranted
    | ConsentScopeRevoked
    | ConsentRevoked
    | ConsentRecorded
    | ContextsBlocked
    | TaskStarted
    | TaskEnded
    | ContextSaved
    | ContextBlocked
    | ContextExpired
    | DocumentAdded
    | DriftObserved
    | CandidateMade
    | CandidateRevoked
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
    | TraitObserved
    | TraitReinforced
    | TraitContradicted
    | TraitPromoted
    | TraitRevised
    | TraitSplit
    | TraitDecayed
    | TraitDissolved
    | TraitRecalled
    | TraitConfirmed
    | TraitConfined
    | TraitEdited
    | TraitErased
    | ReflectionRun
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
