"""What every event looks like in the log, written down: old rows must stay readable, and none may hold free text."""

from __future__ import annotations

import json
import types
from dataclasses import fields
from datetime import datetime
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest
from pydantic import TypeAdapter

from shared.kernel.event_log import stream_name
from shared.kernel.events import EVENTS

ID, OTHER_ID = "0192f0c1-0000-7000-8000-000000000001", "0192f0c1-0000-7000-8000-000000000002"

GOLDENS: dict[str, tuple[str, str]] = {
    "ConversationCreated": ("conversation", '{"project_id": "proj-1"}'),
    "MessageRecorded": (
        "conversation",
        """{"message_id": "ID", "seq": 7, "turn": 3, "session": 2, "role": "user", "completed": true,
            "spoken_at": "2026-01-02T03:04:05.000006Z"}""",
    ),
    "MessageCompleted": ("conversation", '{"message_id": "ID"}'),
    "FeedbackGiven": (
        "conversation",
        '{"feedback_id": "ID", "message_id": "OTHER", "action": "partial", "rating": null, "rating_word": "agree"}',
    ),
    "SessionEnded": ("conversation", '{"session": 2}'),
    "ConversationExcluded": ("conversation", "{}"),
    "ConversationIncluded": ("conversation", "{}"),
    "ConversationRenamed": ("conversation", "{}"),
    "ConversationCleared": ("conversation", '{"operation_id": "ID", "through": 7}'),
    "ConversationErased": ("conversation", '{"operation_id": "ID"}'),
    "SettingsChanged": (
        "settings",
        """{"summary_enabled": true, "episodic_enabled": false, "longterm_enabled": true, "injection_enabled": false,
            "preference_learning_enabled": true, "privacy_mode_enabled": false, "preference_learning_threshold": 3,
            "traits_enabled": false, "time_zone": "Europe/Paris"}""",
    ),
    "MemoryLearned": (
        "memory",
        """{"content_type": "preference", "scope": "project", "project_id": "proj-1", "origin": "extracted",
            "importance": 8, "taboo": true, "supersedes": "ID", "conversation_id": "OTHER",
            "spoken_at": "2026-01-02T03:04:05Z", "contradicts": "OTHER", "method": "rules", "level": "L2"}""",
    ),
    "MemorySupported": ("memory", '{"message_id": "ID", "signal_id": "OTHER"}'),
    "MemoryConfirmed": ("memory", "{}"),
    "MemoryDisputed": ("memory", '{"contradicts": "ID"}'),
    "MemoryResolved": ("memory", '{"supersedes": "ID"}'),
    "MemoryDisabled": ("memory", "{}"),
    "MemoryEnabled": ("memory", "{}"),
    "MemoryArchived": ("memory", "{}"),
    "MemoryUnarchived": ("memory", "{}"),
    "MemoryRepointed": ("memory", '{"supersedes": "ID"}'),
    "MemoryConsolidated": ("memory", "{}"),
    "MemoryErased": ("memory", '{"operation_id": "ID"}'),
    "TraitObserved": (
        "trait",
        '{"trait_key": "compares-prices", "cycle_id": "ID", "at": "2026-01-02T03:04:05Z", "stage": "trend"}',
    ),
    "TraitReinforced": (
        "trait",
        '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z", "observation_id": "OTHER", "grade": "C"}',
    ),
    "TraitContradicted": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z", "pieces": 2}'),
    "TraitPromoted": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z", "stage": "emerging"}'),
    "TraitRevised": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z"}'),
    "TraitSplit": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z"}'),
    "TraitDecayed": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z", "stage": "candidate"}'),
    "TraitDissolved": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z"}'),
    "TraitRecalled": ("trait", '{"cycle_id": "ID", "at": "2026-01-02T03:04:05Z"}'),
    "TraitConfirmed": ("trait", '{"at": "2026-01-02T03:04:05Z", "confirmed": true}'),
    "TraitConfined": ("trait", '{"at": "2026-01-02T03:04:05Z", "context": "work"}'),
    "TraitEdited": ("trait", '{"at": "2026-01-02T03:04:05Z"}'),
    "TraitErased": ("trait", '{"operation_id": "ID"}'),
    "ReflectionRun": (
        "reflection",
        '{"trigger": "session", "at": "2026-01-02T03:04:05Z", "counts": {"observations": 3}}',
    ),
    "ForgetAccepted": ("operation", '{"scope": "message", "hidden": {"message": 2, "memory": 1}}'),
    "OperationCancelled": ("operation", "{}"),
    "OperationRetried": ("operation", '{"steps": 2}'),
    "ExportAccepted": ("operation", '{"scope": "user", "format": "zip"}'),
    "ExportCompleted": ("operation", '{"size": 7}'),
    "ExportDownloaded": ("operation", "{}"),
    "ExportWithdrawn": ("operation", '{"because": "forgotten"}'),
    "ImportAccepted": ("operation", '{"source": "memory-center", "format": "zip"}'),
    "ImportCompleted": ("operation", '{"came": {"message": 2, "memory": 1}}'),
    "ImportWithdrawn": ("operation", '{"because": "forgotten"}'),
    "StepFailed": ("operation", '{"step": "milvus", "code": "milvus_unavailable"}'),
    "OperationSucceeded": ("operation", "{}"),
    "ConsentGranted": (
        "consent",
        """{"consent_id": "ID", "version": 2, "scopes": ["create_task", "save_to_profile"], "text_version": "2026-11",
            "locale": "zh-CN", "channel": "person", "at": "2026-01-02T03:04:05Z", "operation_id": "OTHER"}""",
    ),
    "ConsentScopeRevoked": (
        "consent",
        """{"consent_id": "ID", "version": 3, "scopes": ["save_to_profile"], "at": "2026-01-02T03:04:05Z",
            "operation_id": "OTHER"}""",
    ),
    "ConsentRevoked": (
        "consent",
        """{"consent_id": "ID", "version": 4, "scopes": ["create_task"], "at": "2026-01-02T03:04:05Z",
            "operation_id": "OTHER"}""",
    ),
    "ConsentRecorded": ("operation", '{"consent_id": "ID", "version": 2}'),
    "ContextsBlocked": ("operation", '{"contexts": 2}'),
    "DocumentAdded": ("document", '{"media_type": "application/pdf", "size": 7, "pages": 2, "parts": 3}'),
    "TaskStarted": ("task", '{"route": "snapshot", "conversation_id": "ID"}'),
    "TaskEnded": ("task", '{"status": "succeeded"}'),
    "ContextSaved": ("context", '{"scope": "thread", "written_by": "refresh"}'),
    "ContextBlocked": ("context", "{}"),
    "ContextExpired": ("context", '{"operation_id": "ID"}'),
    "DriftObserved": ("drift", '{"signal_kind": "grade_reversal", "triggers_alert": true}'),
    "CandidateMade": ("candidate", "{}"),
    "CandidateRevoked": ("candidate", "{}"),
}
"""By type: the stream's kind, and the row's `data` with ids abbreviated."""

WORDS_FROM_A_FIXED_SET = {
    ("MessageRecorded", "role"),
    ("FeedbackGiven", "action"),
    ("FeedbackGiven", "rating_word"),
    ("MemoryLearned", "scope"),
    ("MemoryLearned", "origin"),
    ("MemoryLearned", "method"),
    ("MemoryLearned", "level"),
    ("ForgetAccepted", "scope"),
    ("ExportAccepted", "scope"),
    ("ExportAccepted", "format"),
    ("ExportWithdrawn", "because"),
    ("ImportAccepted", "source"),
    ("ImportAccepted", "format"),
    ("ImportWithdrawn", "because"),
    ("StepFailed", "step"),
    ("StepFailed", "code"),
    ("SettingsChanged", "time_zone"),
    ("TraitObserved", "trait_key"),
    ("TraitObserved", "stage"),
    ("TraitReinforced", "grade"),
    ("TraitPromoted", "stage"),
    ("TraitDecayed", "stage"),
    ("TraitConfined", "context"),
    ("ReflectionRun", "trigger"),
    ("ConsentGranted", "scopes"),
    ("ConsentGranted", "text_version"),
    ("ConsentGranted", "channel"),
    ("ConsentScopeRevoked", "scopes"),
    ("ConsentRevoked", "scopes"),
    ("DocumentAdded", "media_type"),
    ("TaskStarted", "route"),
    ("TaskEnded", "status"),
    ("ContextSaved", "scope"),
    ("ContextSaved", "written_by"),
    ("DriftObserved", "signal_kind"),
}
IDS_FROM_OUTSIDE = {
    ("ConversationCreated", "project_id"),
    ("MemoryLearned", "project_id"),
    ("MemoryLearned", "content_type"),
    ("ConsentGranted", "locale"),
}
"""Chosen outside, but an id: letters, digits and . : - _ without spaces; of a type a-z and _ only."""

HARMLESS: frozenset[Any] = frozenset({UUID, int, bool, datetime, types.NoneType, dict[str, int]})
"""A dict counts by kind."""


def golden_of(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(GOLDENS[name][1].replace('"ID"', f'"{ID}"').replace('"OTHER"', f'"{OTHER_ID}"'))
    return data


def test_every_event_has_its_golden() -> None:
    assert set(GOLDENS) == set(EVENTS), "a new event needs its golden here; an event in the log is never renamed"


@pytest.mark.parametrize("name", GOLDENS)
def test_an_event_is_read_from_the_log_and_written_to_it_unchanged(name: str) -> None:
    golden = golden_of(name)
    adapter: TypeAdapter[Any] = TypeAdapter(EVENTS[name])

    event = adapter.validate_python(golden)

    assert type(event) is EVENTS[name]
    assert event.stream == GOLDENS[name][0]
    assert adapter.dump_python(event, mode="json") == golden
    assert {field.name for field in fields(EVENTS[name])} == set(golden)


@pytest.mark.parametrize("name", GOLDENS)
def test_a_field_that_may_be_absent_is_written_as_null(name: str) -> None:
    nullable = [one for one, kind in get_type_hints(EVENTS[name]).items() if types.NoneType in get_args(kind)]
    golden = golden_of(name) | dict.fromkeys(nullable)
    adapter: TypeAdapter[Any] = TypeAdapter(EVENTS[name])

    assert adapter.dump_python(adapter.validate_python(golden), mode="json") == golden


def test_no_event_has_room_for_free_text() -> None:
    allowed = WORDS_FROM_A_FIXED_SET | IDS_FROM_OUTSIDE
    found = set()
    for name, kind in EVENTS.items():
        hints = get_type_hints(kind)
        for field in fields(kind):
            rest = _alternatives(hints[field.name]) - HARMLESS
            if rest:
                assert rest == {str}, f"{name}.{field.name} may hold {rest}: not known to be harmless"
                assert (name, field.name) in allowed, f"{name}.{field.name} is text; content never goes into an event"
                found.add((name, field.name))
    assert found == allowed, "the list names fields that are gone"


def test_streams_are_named_by_kind_and_id() -> None:
    assert stream_name("memory", UUID(ID)) == f"memory:{ID}"
    assert {kind.stream for kind in EVENTS.values()} == {
        "conversation",
        "settings",
        "memory",
        "trait",
        "reflection",
        "operation",
        "consent",
        "task",
        "context",
        "drift",
        "document",
        "candidate",
    }


def _alternatives(hint: Any) -> set[Any]:
    """Return what a field may hold; of a list what its items may be."""
    return set(get_args(hint)) if get_origin(hint) in (Union, types.UnionType, list) else {hint}
