"""The parts of the interface ("areas") that each kind of event or job may change."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from shared.kernel.events import (
    CandidateMade,
    CandidateRevoked,
    ConsentGranted,
    ConsentRecorded,
    ConsentRevoked,
    ConsentScopeRevoked,
    ContextBlocked,
    ContextExpired,
    ContextSaved,
    ContextsBlocked,
    ConversationCleared,
    ConversationCreated,
    ConversationErased,
    ConversationExcluded,
    ConversationIncluded,
    ConversationRenamed,
    DocumentAdded,
    DriftObserved,
    Event,
    ExportAccepted,
    ExportCompleted,
    ExportDownloaded,
    ExportWithdrawn,
    FeedbackGiven,
    ForgetAccepted,
    ImportAccepted,
    ImportCompleted,
    ImportWithdrawn,
    MemoryArchived,
    MemoryConfirmed,
    MemoryConsolidated,
    MemoryDisabled,
    MemoryDisputed,
    MemoryEnabled,
    MemoryErased,
    MemoryLearned,
    MemoryRepointed,
    MemoryResolved,
    MemorySupported,
    MemoryUnarchived,
    MessageCompleted,
    MessageRecorded,
    OperationCancelled,
    OperationRetried,
    OperationSucceeded,
    ReflectionRun,
    SessionEnded,
    SettingsChanged,
    StepFailed,
    TaskEnded,
    TaskStarted,
    TraitConfined,
    TraitConfirmed,
    TraitContradicted,
    TraitDecayed,
    TraitDissolved,
    TraitEdited,
    TraitErased,
    TraitObserved,
    TraitPromoted,
    TraitRecalled,
    TraitReinforced,
    TraitRevised,
    TraitSplit,
)
from shared.outbox import job_kinds

Area: TypeAlias = Literal["memories", "traits", "conversations", "operations", "settings", "consent"]

ALL: Final[tuple[Area, ...]] = ("memories", "traits", "conversations", "operations", "settings", "consent")

_CONVERSATIONS: Final[frozenset[Area]] = frozenset({"conversations"})
_MEMORIES: Final[frozenset[Area]] = frozenset({"memories"})
_TRAITS: Final[frozenset[Area]] = frozenset({"traits"})
_CONSENT: Final[frozenset[Area]] = frozenset({"consent"})
UNSHOWN: Final[frozenset[Area]] = frozenset()
_OPERATIONS: Final[frozenset[Area]] = frozenset({"operations"})
_WHATEVER_IT_NAMES: Final[frozenset[Area]] = frozenset({"memories", "traits", "conversations", "operations"})

OF_EVENTS: Final[Mapping[type[Event], frozenset[Area]]] = MappingProxyType(
    {
        ConversationCreated: _CONVERSATIONS,
        ConversationRenamed: _CONVERSATIONS | _MEMORIES,  # memories show the title of the conversation they come from
        ConversationExcluded: _CONVERSATIONS,
        ConversationIncluded: _CONVERSATIONS,
        ConversationCleared: _CONVERSATIONS | _MEMORIES,
        ConversationErased: _CONVERSATIONS | _MEMORIES,
        MessageRecorded: _CONVERSATIONS,
        MessageCompleted: _CONVERSATIONS,
        SessionEnded: _CONVERSATIONS,
        FeedbackGiven: _CONVERSATIONS | _MEMORIES,
        SettingsChanged: frozenset({"settings"}),
        MemoryLearned: _MEMORIES,
        MemorySupported: _MEMORIES,
        MemoryConfirmed: _MEMORIES,
        MemoryDisputed: _MEMORIES,
        MemoryResolved: _MEMORIES,
        MemoryDisabled: _MEMORIES,
        MemoryEnabled: _MEMORIES,
        MemoryArchived: _MEMORIES,
        MemoryUnarchived: _MEMORIES,
        MemoryRepointed: _MEMORIES,
        MemoryConsolidated: _MEMORIES,
        MemoryErased: _MEMORIES,
        DocumentAdded: _MEMORIES,
        **dict.fromkeys(
            (
                TraitObserved,
                TraitReinforced,
                TraitContradicted,
                TraitPromoted,
                TraitRevised,
                TraitSplit,
                TraitDecayed,
                TraitDissolved,
                TraitRecalled,
                TraitConfirmed,
                TraitConfined,
                TraitEdited,
                TraitErased,
                ReflectionRun,
            ),
            _TRAITS,
        ),
        **dict.fromkeys(
            (
                ConsentGranted,
                ConsentScopeRevoked,
                ConsentRevoked,
                ContextSaved,
                ContextBlocked,
                ContextExpired,
            ),
            _CONSENT,
        ),
        # Nothing that a screen shows: tasks hold no words, drift and candidates are seen in exports only.
        **dict.fromkeys((TaskStarted, TaskEnded, DriftObserved, CandidateMade, CandidateRevoked), UNSHOWN),
        ConsentRecorded: _OPERATIONS,
        ContextsBlocked: _OPERATIONS,
        ForgetAccepted: _WHATEVER_IT_NAMES | _CONSENT,
        OperationCancelled: _WHATEVER_IT_NAMES | _CONSENT,
        OperationRetried: _OPERATIONS,
        StepFailed: _OPERATIONS,
        OperationSucceeded: _OPERATIONS,
        ExportAccepted: _OPERATIONS,
        ExportCompleted: _OPERATIONS,
        ExportDownloaded: _OPERATIONS,
        ExportWithdrawn: _OPERATIONS,
        ImportAccepted: _OPERATIONS,
        ImportCompleted: frozenset(ALL),
        ImportWithdrawn: _OPERATIONS,
    }
)

OF_WORK: Final[Mapping[str, frozenset[Area]]] = MappingProxyType(
    {
        job_kinds.INDEX_EPISODE: _CONVERSATIONS,
        job_kinds.SUMMARY_ROLL: _CONVERSATIONS,
        job_kinds.LEARN_MEMORY: _MEMORIES,
        job_kinds.MEMORY_INDEX: _MEMORIES,
        job_kinds.MEMORY_CONSOLIDATE: _MEMORIES,
        job_kinds.REDERIVE: _MEMORIES,
    }
)
"""Areas that may change without an event when a job ends; other jobs are reported through their operation."""
