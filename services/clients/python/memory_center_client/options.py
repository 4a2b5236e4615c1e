"""Optional arguments of calls, as the API names them (docs/openapi.json says what they mean)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypedDict

Metadata: TypeAlias = Mapping[str, str | bool | int | float]
"""What your program keeps with a memory: a flat object, at most 2,000 bytes as JSON."""


class RecallOptions(TypedDict, total=False):
    """Of `recall`."""

    conversation_id: str | None
    project_id: str | None
    token_budget: int | None
    language: Literal["en", "zh"] | None
    layers: list[Literal["stable", "retrieved", "immediate"]]
    limit: int
    superseded: Literal["hide", "label"]
    task: str | None


class SearchOptions(TypedDict, total=False):
    """Of `search`."""

    conversation_id: str | None
    project_id: str | None
    metadata: Metadata | None
    content_type: str | None
    taboo: bool | None
    learned_in: str | None
    created_after: str | None
    created_before: str | None
    limit: int


class ConversationOptions(TypedDict, total=False):
    """Of a new conversation."""

    external_id: str | None
    title: str | None
    project_id: str | None
    remember: bool


class ConversationChanges(TypedDict, total=False):
    """Of a conversation."""

    title: str | None
    remember: bool


class MemoryOptions(TypedDict, total=False):
    """Of a memory written by hand."""

    content_type: str
    external_id: str | None
    importance: int
    metadata: Metadata | None
    project_id: str | None
    scope: Literal["global", "project"]
    supersedes_id: str | None
    taboo: bool
    task_hint: str | None


class MemoryChanges(TypedDict, total=False):
    """Of a memory."""

    content: str
    content_type: str
    disabled: bool
    external_id: str | None
    importance: int
    metadata: Metadata | None
    project_id: str | None
    scope: Literal["global", "project"]
    taboo: bool
    task_hint: str | None


class MemoryFilters(TypedDict, total=False):
    """Of lists of memories."""

    message_id: str | None
    conversation_id: str | None
    created_after: str | None
    created_before: str | None
    content_type: str | None
    scope: Literal["global", "project"] | None
    project_id: str | None
    origin: Literal["extracted", "stated", "learned", "imported"] | None
    validity: Literal["active", "superseded", "contradicted"] | None
    level: Literal["L1", "L2"] | None
    archived: bool | None
    disabled: bool | None
    confirmed: bool | None
    taboo: bool | None
    waiting: bool | None
    metadata: Metadata | None
    external_id: str | None
    sort: Literal["newest", "oldest", "importance"]
    limit: int


class SettingsChanges(TypedDict, total=False):
    """Of a person's switches."""

    episodic_enabled: bool
    injection_enabled: bool
    longterm_enabled: bool
    preference_learning_enabled: bool
    preference_learning_threshold: int
    privacy_mode_enabled: bool
    summary_enabled: bool
    time_zone: str | None
    traits_enabled: bool


Rating: TypeAlias = int | Literal["thumbs_up", "not_helpful", "agree", "disagree"]


class FeedbackOptions(TypedDict, total=False):
    """Of feedback."""

    rating: Rating | None
    action: Literal["accept", "reject", "partial"] | None
    reason: str | None
    comment: str | None
    message_id: str | None
    conversation_id: str | None
    evidence_ref: str | None
    related_object_ref: str | None


class Target(TypedDict, total=False):
    """What a dry run is about; `scope` says which of the others count."""

    scope: Literal["message", "conversation", "user", "selection"]
    message_id: str | None
    cascade: bool
    conversation_id: str | None
    token: str | None
    ids: list[str] | None
