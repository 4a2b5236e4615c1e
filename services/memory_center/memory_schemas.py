"""Request and response bodies of long-term memories and their edits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, Strict, model_validator
from pydantic_core import PydanticCustomError

from services.api import Body, UserId
from services.memory_center.schemas import SourceOut
from services.metadata import ExternalId, Flat, Metadata
from shared.kernel import limits
from shared.kernel.emotions import LABEL_MAX

SEVERAL_MAX = 100
"""Most memories changed in one transaction, which may take seconds: a move rewrites each of them."""
PICKED_MAX = 2000
"""Most memories selected at once, the same as in a selection to forget."""

KNOWN_TYPES = "preference, fact, constraint, note, episodic, document, summary, task_outcome, tool_experience"

NO_TYPES: Final = ("trait", "insight", "general")
"""Traits are derived from many memories (TR-01); the other two types no longer exist."""


def _can_be_given(content_type: str) -> str:
    if content_type in NO_TYPES:
        raise PydanticCustomError("type_not_given", "not a type of a memory")
    return content_type


ContentType = Annotated[
    str,
    Field(pattern=limits.CONTENT_TYPE, description=f"New types are allowed; known: {KNOWN_TYPES}.", examples=["note"]),
]
GivenType = Annotated[
    ContentType,
    AfterValidator(_can_be_given),
    Field(description=f"New types are allowed; known: {KNOWN_TYPES}. Refused: {', '.join(NO_TYPES)}."),
]
Scope = Literal["global", "project"]
Origin = Literal["extracted", "stated", "learned", "imported"]
Validity = Literal["active", "superseded", "contradicted"]
FoundBy = Annotated[
    Literal["meaning", "words"],
    Field(description="words: it has no vector yet, or cannot have one."),
]
ProjectId = Annotated[str, Field(min_length=1, max_length=limits.PROJECT_ID_MAX, pattern=limits.PROJECT_ID)]
Importance = Annotated[int, Field(ge=limits.IMPORTANCE_MIN, le=limits.IMPORTANCE_MAX, strict=True)]
Level = Literal["L1", "L2"]
Hint = Annotated[str, Field(min_length=1, max_length=limits.SHORT_MAX, description="The task it belongs to.")]


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("nothing but spaces")
    return text


Content = Annotated[str, Field(min_length=1, max_length=limits.MEMORY_MAX), AfterValidator(_says_something)]


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc), Field(description="ISO 8601; UTC if there is no time zone.")]


class MemoryEmotion(Body):
    """The person's feeling about it (LT-01)."""

    valence: Annotated[float, Field(ge=-1, le=1, description="From unpleasant to pleasant.")]
    arousal: Annotated[float, Field(ge=0, le=1, description="From calm to excited.")]
    label: Annotated[
        str,
        Field(min_length=1, max_length=LABEL_MAX, description="The feeling, in a word or two."),
        AfterValidator(_says_something),
    ]


class ProvenanceIn(Body):
    """Where a memory comes from, according to a service (LT-02); it must match the message."""

    message_id: UUID
    session_id: UUID | None = Field(default=None, description="The conversation.")
    source_type: Literal["user", "model", "tool", "system"] | None = None
    turn_index: int | None = None
    turn_range: tuple[int, int] | None = Field(
        default=None, description="First and last turn; must include the message's turn."
    )
    quote_start: Annotated[int, Field(ge=0, strict=True)] | None = None
    quote_end: Annotated[int, Field(ge=1, strict=True)] | None = None


class MemoryIn(Body):
    """A memory written by hand, or found by a service and sent with `provenance`."""

    user_id: UserId | None = None
    content: Content
    content_type: GivenType = "note"
    scope: Scope = "global"
    project_id: ProjectId | None = None
    importance: Importance = 5
    taboo: Annotated[bool, Strict(), Field(description="Safety-related, or never to be mentioned.")] = False
    task_hint: Hint | None = None
    emotion: MemoryEmotion | None = None
    metadata: Metadata | None = None
    external_id: ExternalId | None = None
    provenance: ProvenanceIn | None = Field(
        default=None, description="Service keys only; the memory is forgotten with the message."
    )
    supersedes_id: UUID | None = Field(
        default=None, description="Service keys only; the memory that this one replaces."
    )

    @model_validator(mode="after")
    def fits_its_scope(self) -> MemoryIn:
        if (self.scope == "project") != (self.project_id is not None):
            raise ValueError("scope project needs a project_id, scope global has none")
        return self


class CorrectIn(Body):
    """A description of the memory to correct, and the new statement."""

    user_id: UserId | None = None
    about: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_says_something)]
    statement: Content


class MemoryPatch(Body):
    """Changes to a memory. Every change except `disabled` creates a new memory that replaces this one."""

    user_id: UserId | None = None
    content: Content = Field(default=None)  # type: ignore[assignment]  # absent, never null
    content_type: GivenType = Field(default=None)  # type: ignore[assignment]
    scope: Scope = Field(default=None)  # type: ignore[arg-type]
    project_id: ProjectId | None = None
    importance: Importance = Field(default=None)  # type: ignore[assignment]
    taboo: Annotated[bool, Strict()] = Field(default=None)  # type: ignore[assignment]
    task_hint: Hint | None = None
    emotion: MemoryEmotion | None = None
    metadata: Metadata | None = None
    external_id: ExternalId | None = None
    disabled: Annotated[bool, Strict()] = Field(
        default=None,  # type: ignore[assignment]
        description="True: stored but not used. Changes the memory without creating a new one.",
    )


class ConfirmIn(Body):
    """Confirms that a memory is true; `resolve` also resolves its contradiction."""

    user_id: UserId | None = None
    memory_id: UUID
    resolve: Literal["replaces", "both"] | None = Field(
        default=None,
        description="replaces: this one is right. If it is newer, it replaces the older one; if it is older, the newer"
        " ones are disabled. both: all remain.",
    )


class SeveralIn(Body):
    """An action on several memories. `move` requires the new scope; the other actions take no scope."""

    user_id: UserId | None = None
    ids: Annotated[list[UUID], Field(min_length=1, max_length=SEVERAL_MAX)]
    act: Literal["keep", "pause", "resume", "move"]
    scope: Scope | None = None
    project_id: ProjectId | None = None

    @model_validator(mode="after")
    def moves_somewhere(self) -> SeveralIn:
        if (self.act == "move") != (self.scope is not None):
            raise ValueError("move needs a scope, the others have none")
        if (self.scope == "project") != (self.project_id is not None):
            raise ValueError("scope project needs a project_id, the others have none")
        return self


class ChangedOut(Body):
    id: UUID
    outcome: Literal["changed", "unchanged", "superseded"]
    now: UUID = Field(description="The current memory; like every edit, moving creates a new one.")


class SeveralOut(Body):
    results: list[ChangedOut] = Field(description="In the order of the request; each id appears once.")


class MemoryIdsOut(Body):
    ids: list[UUID]
    more: bool = Field(description="Whether there are more memories.")


class ProvenanceOut(Body):
    """The first source of a memory (LT-02); `sources` lists all."""

    source_type: Literal["user", "model", "tool", "system"]
    session_id: UUID = Field(description="The conversation.")
    turn_index: int
    turn_range: tuple[int, int] | None = Field(description="First and last turn, if there are several.")
    message_id: UUID
    quote_start: int | None
    quote_end: int | None


class MemoryOut(Body):
    id: UUID
    content: str
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    method: str | None = Field(description="How it was created: rules, model:<name>, person, feedback or import.")
    importance: int
    taboo: bool
    disabled: bool
    confirmed: bool
    archived: bool
    validity: Validity = Field(description="contradicted: a newer memory may contradict it; confirm one of them.")
    supersedes_id: UUID | None
    contradicts_id: UUID | None = Field(description="An older memory it may contradict.")
    task_hint: str | None
    emotion: MemoryEmotion | None
    metadata: Flat | None
    external_id: str | None
    level: Level = Field(description="L1: as learned. L2: consolidated after its session, or decided by a person.")
    conversation_id: UUID | None
    spoken_at: datetime | None
    version: int = Field(description="Its ETag.")
    created_at: datetime
    updated_at: datetime
    found_by: FoundBy
    provenance: ProvenanceOut | None = Field(
        description="Null if no message shows it, or all such messages were erased."
    )
    sources: list[SourceOut]


class MemoryWrittenOut(MemoryOut):
    withheld: list[str] = Field(description="Kinds of sensitive fragments that were replaced before it was stored.")


class SupersededOut(Body):
    id: UUID
    content: str


class CorrectionPreview(Body):
    """What a correction would do; `version` is for the `If-Match` of a change of this memory."""

    id: UUID
    content: str
    corrected: str = Field(description="What the memory would say instead.")
    version: int


class CorrectedOut(MemoryWrittenOut):
    """The memory created by a correction."""

    superseded: list[SupersededOut] = Field(description="The memories it replaced.")
