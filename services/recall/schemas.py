"""Request and response bodies of search."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import AwareDatetime, Field, Strict

from services.api import Body, UserId
from services.metadata import Flat, Metadata
from shared.kernel import limits


class MemorySearchIn(Body):
    """A question, in the body to keep it out of URLs. Episodes are searched in one conversation only (MC-04)."""

    user_id: UserId | None = None
    query: Annotated[str, Field(max_length=4_000)]
    conversation_id: UUID | None = None
    project_id: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        default=None, description="Project whose memories to include with the global ones; default: the conversation's."
    )
    metadata: Metadata | None = Field(
        default=None,
        description="Search only memories that have all of this metadata. With this or another of the members below, "
        "the newest 5,000 such memories are searched, and no episodes.",
    )
    content_type: Annotated[str, Field(pattern=limits.CONTENT_TYPE)] | None = Field(
        default=None, description="Search only memories of this type."
    )
    taboo: Annotated[bool, Strict()] | None = Field(
        default=None, description="Search only memories that are, or are not, safety-related or never to be mentioned."
    )
    learned_in: UUID | None = Field(default=None, description="Search only memories learned from this conversation.")
    created_after: AwareDatetime | None = Field(default=None, description="Search only memories made then or later.")
    created_before: AwareDatetime | None = Field(default=None, description="Search only memories made earlier.")
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class EpisodeSearchIn(Body):
    """A question about one conversation, in the body to keep it out of URLs."""

    user_id: UserId | None = None
    conversation_id: UUID
    query: Annotated[str, Field(min_length=1, max_length=4_000)]
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class FoundOut(Body):
    id: UUID
    kind: Literal["memory", "episode"]
    content: str
    content_type: str
    score: float | None = Field(description="Ranking score; null in deterministic mode.")
    similarity: float | None = Field(
        default=None,
        description="Cosine of its vector and the one that it was searched with, at most 1; of memories 0.1 is typical "
        "of unrelated texts and 0.4 of the same meaning, of messages 0.75 and 0.9. Null if it was found by words only.",
    )
    contradicted_by: UUID | None = Field(
        default=None, description="A newer or confirmed memory that contradicts it, which a recall gives instead."
    )
    metadata: Flat | None
    external_id: str | None
    conversation_id: UUID | None
    message_ids: list[UUID]
    created_at: datetime


Reason: TypeAlias = Literal[
    "injection_off",
    "longterm_off",
    "episodic_off",
    "empty_query",
    "embedder_failed",
    "milvus_unavailable",
    "store_misconfigured",
    "vectors_prohibited",
    "no_conversation",
]


class Diagnostics(Body):
    reasons: list[Reason]


class SearchOut(Body):
    items: list[FoundOut]
    mode: Literal["semantic", "deterministic"]
    diagnostics: Diagnostics
