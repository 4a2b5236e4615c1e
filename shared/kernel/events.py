"""Domain events, named in the past tense. They hold ids, times, numbers and enums, never what a person wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, dataclass_transform
from uuid import UUID

EVENTS: dict[str, type[Event]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Event:
    """Something that happened; `stream` is the kind of item it happened to."""

    stream: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls, *, stream: str) -> None:
        cls.stream = stream
        dataclass(frozen=True, kw_only=True)(cls)
        EVENTS[cls.__name__] = cls


class ConversationCreated(Event, stream="conversation"):
    project_id: str | None


class MessageRecorded(Event, stream="conversation"):
    message_id: UUID
    seq: int
    turn: int
    session: int
    role: str
    completed: bool
    spoken_at: datetime


class MessageCompleted(Event, stream="conversation"):
    message_id: UUID


class FeedbackGiven(Event, stream="conversation"):
    feedback_id: UUID
    message_id: UUID | None
    action: str | None
    rating: int | None
    rating_word: str | None = None


class SessionEnded(Event, stream="conversation"):
    session: int


class ConversationExcluded(Event, stream="conversation"):
    """New messages in this conversation are not remembered: nothing is derived from them, now or later."""


class ConversationIncluded(Event, stream="conversation"):
    """New messages in this conversation are remembered again."""


class ConversationRenamed(Event, stream="conversation"):
    """The title was changed or removed. The title itself is content and not part of the event."""


class ConversationCleared(Event, stream="conversation"):
    """All messages up to and including `through` (a message seq) were forgotten; the conversation remains."""

    operation_id: UUID
    through: int


class ConversationErased(Event, stream="conversation"):
    """Replaces the stream of an erased conversation."""

    operation_id: UUID


class SettingsChanged(Event, stream="settings"):
    """All settings after the change (MC-06, CN-02)."""

    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool
    preference_learning_enabled: bool
    privacy_mode_enabled: bool
    preference_learning_threshold: int
    traits_enabled: bool = True
    time_zone: str | None = None


class ConsentGranted(Event, stream="consent"):
    """The person agreed to these scopes; the stream is the person's."""

    consent_id: UUID
    version: int
    scopes: list[str]
    text_version: str
    locale: str
    channel: str
    at: datetime
    operation_id: UUID


class ConsentScopeRevoked(Event, stream="consent"):
    """Some scopes of a grant were withdrawn. `consent_id` is the version this made."""

    consent_id: UUID
    version: int
    scopes: list[str]
    at: datetime
    operation_id: UUID


class ConsentRevoked(Event, stream="consent"):
    """Every scope of a grant was withdrawn."""

    consent_id: UUID
    version: int
    scopes: list[str]
    at: datetime
    operation_id: UUID


class ConsentRecorded(Event, stream="operation"):
    """The operation that proves a grant was accepted."""

    consent_id: UUID
    version: int


class ContextsBlocked(Event, stream="operation"):
    """The operation that proves that so many contexts of a thread are never loaded again."""

    contexts: int


class TaskStarted(Event, stream="task"):
    route: str
    conversation_id: UUID | None


class TaskEnded(Event, stream="task"):
    status: str


class ContextSaved(Event, stream="context"):
    """What the person said about how to work for them was stored. The fields are content."""

    scope: str
    written_by: str


class ContextBlocked(Event, stream="context"):
    """A thread's context is kept and no longer loaded."""


class ContextExpired(Event, stream="context"):
    """A task's context reached its end and is erased."""

    operation_id: UUID


class DocumentAdded(Event, stream="document"):
    """A document was uploaded. Its title and text are content."""

    media_type: str
    size: int
    pages: int | None
    parts: int


class DriftObserved(Event, stream="drift"):
    signal_kind: str
    triggers_alert: bool


class CandidateMade(Event, stream="candidate"):
    """Something might be used for training one day; its person agreed to that."""


class CandidateRevoked(Event, stream="candidate"):
    """The candidate may not be used for training any more."""


class MemoryLearned(Event, stream="memory"):
    """A memory was created. Its text and task hint are content and stored elsewhere."""

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


class MemorySupported(Event, stream="memory"):
    """Another message or feedback signal supports this memory."""

    message_id: UUID | None = None
    signal_id: UUID | None = None


class MemoryConfirmed(Event, stream="memory"):
    """The person confirmed that the memory is true."""


class MemoryDisputed(Event, stream="memory"):
    """The memory may contradict an older one; both remain until the person decides."""

    contradicts: UUID


class MemoryResolved(Event, stream="memory"):
    """The contradiction was resolved: the memory supersedes another, or both remain (None)."""

    supersedes: UUID | None


class MemoryDisabled(Event, stream="memory"):
    """The memory is kept but not used."""


class MemoryEnabled(Event, stream="memory"):
    """The memory is used again."""


class MemoryArchived(Event, stream="memory"):
    """The memory was unused for a long time: excluded from recall, still listed, exported and forgotten."""


class MemoryUnarchived(Event, stream="memory"):
    """The memory was used or wanted again."""


class MemoryRepointed(Event, stream="memory"):
    """The memory now supersedes a different memory, or none: one between them was erased, or was learned later."""

    supersedes: UUID | None


class MemoryConsolidated(Event, stream="memory"):
    """Nothing replaced or contradicted the memory since its session: it moves from level L1 to L2 (LT-04)."""


class MemoryErased(Event, stream="memory"):
    """Replaces the stream of an erased memory."""

    operation_id: UUID


class TraitObserved(Event, stream="trait"):
    """A reflection found a pattern: `trait_key` is an entry of the catalogue, never what a person wrote."""

    trait_key: str
    cycle_id: UUID
    at: datetime
    stage: str | None = None


class TraitReinforced(Event, stream="trait"):
    """A piece of evidence was counted, with its grade from A to D."""

    cycle_id: UUID
    at: datetime
    observation_id: UUID
    grade: str


class TraitContradicted(Event, stream="trait"):
    """So many pieces of evidence spoke against it."""

    cycle_id: UUID
    at: datetime
    pieces: int


class TraitPromoted(Event, stream="trait"):
    cycle_id: UUID
    at: datetime
    stage: str


class TraitRevised(Event, stream="trait"):
    """Much spoke against it; after a review it stays."""

    cycle_id: UUID
    at: datetime


class TraitSplit(Event, stream="trait"):
    """It depends on the context: one tendency holds in one, its opposite in another."""

    cycle_id: UUID
    at: datetime


class TraitDecayed(Event, stream="trait"):
    cycle_id: UUID
    at: datetime
    stage: str


class TraitDissolved(Event, stream="trait"):
    """It no longer holds: contradicted, not seen again, or forgotten with time."""

    cycle_id: UUID
    at: datetime


class TraitRecalled(Event, stream="trait"):
    """The assistant was told about it since the reflection before."""

    cycle_id: UUID
    at: datetime


class TraitConfirmed(Event, stream="trait"):
    """The person said that it is right, or with `confirmed` false took that back."""

    at: datetime
    confirmed: bool = True


class TraitConfined(Event, stream="trait"):
    """The person said in which context it holds; None for wherever it was seen."""

    at: datetime
    context: str | None


class TraitEdited(Event, stream="trait"):
    """The person worded it anew. The wording is content and not part of the event."""

    at: datetime


class TraitErased(Event, stream="trait"):
    """Replaces the stream of an erased trait."""

    operation_id: UUID


class ReflectionRun(Event, stream="reflection"):
    """A reflection counted new evidence; `counts` are numbers by what they count."""

    trigger: str
    at: datetime
    counts: dict[str, int]


class ForgetAccepted(Event, stream="operation"):
    """From this event on, nothing that the forget operation covers is returned."""

    scope: str
    hidden: dict[str, int]


class OperationCancelled(Event, stream="operation"):
    """The items that the operation hid are visible again."""


class OperationRetried(Event, stream="operation"):
    steps: int


class StepFailed(Event, stream="operation"):
    """A step failed and will be retried later; `code` is the reason, without content."""

    step: str
    code: str


class OperationSucceeded(Event, stream="operation"):
    """Every store was searched and found empty, and the receipt is signed."""


class ExportAccepted(Event, stream="operation"):
    scope: str
    format: str


class ExportCompleted(Event, stream="operation"):
    """The package can be downloaded."""

    size: int


class ExportDownloaded(Event, stream="operation"):
    """A download of the package started from its first byte."""


class ExportWithdrawn(Event, stream="operation"):
    """The package can no longer be downloaded: its key was deleted. `because`: `forgotten`, `expired` or `restored`."""

    because: str


class ImportAccepted(Event, stream="operation"):
    """A package is waiting to be imported. `source`: the product that wrote it."""

    source: str
    format: str


class ImportCompleted(Event, stream="operation"):
    """The package was imported; `came` counts the imported records by kind."""

    came: dict[str, int]


class ImportWithdrawn(Event, stream="operation"):
    """The package will not be imported: its key was deleted. `because`: `forgotten`, `expired` or `restored`."""

    because: str
