"""The records of a package (MC-12). Their JSON Schemas are published in docs/schemas/export.

A record holds what restoring it needs: ids, marks, counters. Times are in UTC. Later versions only add members.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.kernel.items import packed_kinds
from shared.kernel.records import Moment, Record
from shared.preferences.rules import RatingWord
from shared.traits.packages import Key

Span = Annotated[tuple[int, int], Field(description="Half-open character offsets; the end may lie past the text.")]


def _is_none(value: object) -> bool:
    return value is None


_METADATA: Final = Field(default=None, exclude_if=_is_none, description="What another program keeps with it.")


def _is_first_level(value: object) -> bool:
    return value == "L1"


class SwitchStates(Record):
    """The switches that hold (MC-06, CN-02)."""

    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool
    preference_learning_enabled: bool
    privacy_mode_enabled: bool
    preference_learning_threshold: int
    traits_enabled: bool = True
    time_zone: str | None = None


class Settings(SwitchStates):
    version: int = Field(description="How often they were changed; 0: never, and these are the deployment's.")
    updated_at: Moment | None
    refused_traits: list[Key] = Field(default=[], description="What the person said is not so: it is never inferred.")


class Conversation(Record):
    id: UUID
    project_id: str | None
    title: str | None
    external_id: str | None = Field(default=None, description="What another program calls it.")
    title_at_seq: int | None = Field(description="The next message's seq when the title was given.")
    remember: bool
    session: int
    next_seq: int
    turn: int
    turn_open: bool
    turn_has_user: bool
    cleared_through: int = Field(description="Everything up to this seq was forgotten.")
    summary_version: int
    created_at: Moment
    updated_at: Moment


class ErasedConversation(Record):
    """All that is left of a forgotten conversation; nothing can be said in it any more."""

    id: UUID
    erased_at: Moment


class Withheld(Record):
    """How much of a message was kept out of long-term memory, never what."""

    category: str
    outcome: Literal["rejected", "redacted"]
    count: int


class Message(Record):
    id: UUID
    conversation_id: UUID
    seq: int
    turn: int
    session: int
    role: Literal["user", "assistant", "tool", "system"]
    name: str | None
    content: str
    task_hint: str | None
    client_message_id: str | None
    completed: bool
    version: int = Field(description="Grows when a part of it is forgotten.")
    summarize: bool = Field(description="With the next two: what may ever be made of it.")
    index_episode: bool
    learn: bool
    never_learn: list[Span] = Field(description="What its person asked never to be learned from again.")
    withheld: list[Withheld]
    spoken_at: Moment
    recorded_at: Moment
    metadata: dict[str, str | bool | int | float] | None = _METADATA


class ErasedMessage(Record):
    """All that is left of a forgotten message while its conversation lives: its turn is never learned from again."""

    id: UUID
    seq: int
    turn: int
    erased_at: Moment


class Summary(Record):
    id: UUID
    text: str
    version: int
    method: str
    covered_from: int
    covered_through: int
    covered_message_count: int
    updated_at: Moment


class Episode(Record):
    """A turn; the text of both sides is filled in (MC-04)."""

    id: UUID
    turn: int
    first_seq: int
    user_message_id: UUID | None
    assistant_message_id: UUID | None
    user_message: str | None
    assistant_message: str | None
    created_at: Moment


class Feedback(Record):
    id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    at_seq: int | None
    action: Literal["accept", "reject", "partial"] | None
    rating: int | None
    rating_word: RatingWord | None = Field(default=None, description="Of a rating that is a word.")
    evidence_ref: str | None
    related_object_ref: str | None
    comment: str | None
    reason: str | None = Field(default=None, description="Missing in privacy mode.")
    recorded_at: Moment


class PreferenceSignal(Record):
    """What one accept, reject or partial says is preferred (CN-06)."""

    id: UUID
    feedback_id: UUID
    conversation_id: UUID | None
    at_seq: int | None
    action: Literal["accept", "reject", "partial"]
    topic: str = Field(description="A keyed digest: signals of one topic share it, and it tells nothing else.")
    label: str
    language: Literal["en", "zh"]
    quote: str | None = Field(description="Missing in privacy mode.")
    recorded_at: Moment


class Source(Record):
    """A message a memory came from (MC-16)."""

    message_id: UUID
    conversation_id: UUID
    role: Literal["user", "assistant", "tool", "system"]
    turn: int
    session: int
    quote: str | None
    quote_start: int | None
    quote_end: int | None
    spoken_at: Moment


class Emotion(Record):
    """What a person feels about something (LT-01)."""

    valence: float
    arousal: float
    label: str


class Memory(Record):
    id: UUID
    content: str
    content_type: str
    scope: Literal["global", "project"]
    project_id: str | None
    origin: Literal["extracted", "stated", "learned", "imported"]
    importance: int
    taboo: bool
    disabled: bool
    confirmed: bool
    archived: bool
    validity: Literal["active", "superseded", "contradicted"]
    supersedes_id: UUID | None
    contradicts_id: UUID | None
    conversation_id: UUID | None
    spoken_at: Moment | None
    method: str | None
    task_hint: str | None
    emotion: Emotion | None = Field(default=None, exclude_if=_is_none, description="Missing where there is none.")
    metadata: dict[str, str | bool | int | float] | None = _METADATA
    external_id: str | None = Field(
        default=None, exclude_if=_is_none, description="What another program calls it; missing where there is none."
    )
    level: Literal["L1", "L2"] = Field(
        default="L1", exclude_if=_is_first_level, description="L2 once it was consolidated; missing before."
    )
    version: int
    last_supported_at: Moment | None
    created_at: Moment
    updated_at: Moment
    provenance: list[Source]


class Edge(Record):
    """Where something came from; `context`: it was only shown while deriving."""

    derived_kind: str
    derived_id: UUID
    source_kind: str
    source_id: UUID
    edge: Literal["text_from", "supported_by"]
    quote_start: int | None
    quote_end: int | None
    context: bool


class Happened(Record):
    """An event: ids, numbers and enums, never content."""

    kind: Literal["conversation", "memory", "settings"]
    item_id: UUID | None
    version: int
    type: str
    data: dict[str, Any]
    actor: str
    at: Moment


class LedgerEntry(Record):
    """hash = SHA-256(prev_hash ‖ canonical body), signed with the body's public key."""

    body: dict[str, Any]
    prev_hash: str
    hash: str
    signature: str


class Receipt(Record):
    """What is on record of one forget; `memory-center verify-receipt FILE` checks it offline (X-03)."""

    receipt_id: UUID
    status: str
    type: str
    scope: str
    unrecallable_at: Moment | None
    erased_at: Moment | None
    purged_at: Moment | None
    entries: list[LedgerEntry]


KINDS: Final[dict[str, type[Record]]] = {
    "settings": Settings,
    "conversation": Conversation,
    "erased_conversation": ErasedConversation,
    "message": Message,
    "erased_message": ErasedMessage,
    "summary": Summary,
    "episode": Episode,
    "feedback": Feedback,
    "preference_signal": PreferenceSignal,
    "memory": Memory,
    "edge": Edge,
    "event": Happened,
    "receipt": Receipt,
}
"""Kind of record → its form."""


def forms() -> dict[str, type[Record]]:
    """Return kind of record → its form, those of the registry's kinds too, in the order in which they are read."""
    found: dict[str, type[Record]] = {}
    for kind, form in KINDS.items():
        if kind == "edge":  # it refers to anything before it
            packed = packed_kinds()
            found.update({name: one.in_packages.form for name, one in packed.items() if one.in_packages})
        found[kind] = form
    return found
