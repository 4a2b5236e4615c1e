"""Response bodies that explain long-term memories: their history, why they are remembered, what became of a message."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from services.api import Body
from services.memory_center.memory_schemas import MemoryOut
from services.memory_center.schemas import SourceOut, Switches


class LivedOut(Body):
    """One event; `data` holds ids, times, enums and numbers only."""

    memory_id: UUID
    type: str
    data: dict[str, Any]
    version: int
    actor: str = Field(description="person, service:<name> or system:<part>.")
    at: datetime


class HistoryOut(Body):
    """The memories of one supersession chain, oldest first, and their events in order."""

    memories: list[MemoryOut]
    events: list[LivedOut]


class EvidenceOut(SourceOut):
    relation: Literal["text_from", "supported_by"] = Field(
        description="text_from: the wording comes from this message. supported_by: the message says the same."
    )


class JudgementOut(Body):
    """The person's feedback on something (CN-06)."""

    action: Literal["accept", "reject", "partial"]
    label: str = Field(description="An abstract label from a fixed list.")
    quote: str | None = Field(description="Null if it was given in privacy mode.")
    message_id: UUID | None
    given_at: datetime


class ExplainedMemoryOut(MemoryOut):
    evidence: list[EvidenceOut]
    judgements: list[JudgementOut] = Field(description="The feedback it was learned from, oldest first.")


class EffectOut(Body):
    """Where a memory takes effect."""

    scope: str
    project_id: str | None
    switches: Switches
    given_now: bool = Field(description="Whether an assistant in its scope would receive it.")
    reasons: list[
        Literal["superseded", "disabled", "archived", "conflict", "longterm_off", "injection_off", "withheld"]
    ]
    searchable: bool = Field(description="Whether semantic search can find it yet.")


class ExplanationOut(Body):
    """Why a memory is remembered (MC-16)."""

    memory: ExplainedMemoryOut
    chain: list[ExplainedMemoryOut] = Field(
        description="The memories before and after it in its supersession chain, oldest first."
    )
    edited_from: list[UUID] = Field(description="Its former versions; they are forgotten with it.")
    contradicts: MemoryOut | None
    contradicted_by: list[MemoryOut]
    effect: EffectOut


class DerivedOut(Body):
    kind: Literal["episode", "summary", "memory", "feedback", "signal", "observation"]
    id: UUID
    label: str = Field(description="Its turn, version, type, action or topic.")
    content: str | None = Field(description="Its text, if any.")
    made_at: datetime
    direct: bool = Field(description="Whether it was made directly from the message.")
    shown_only: bool = Field(description="The model saw the message only as context.")
    relation: str
    quote: str | None
    quote_start: int | None
    quote_end: int | None


class WithheldOut(Body):
    category: str
    outcome: Literal["rejected", "redacted"]
    count: int


class AheadOut(Body):
    """The learning queue ahead of a message."""

    messages: int = Field(description="Number of the person's messages that are learned from first.")
    since: datetime = Field(description="When this message started waiting.")


class WhatBecameOut(Body):
    """Everything derived from a message, and what was withheld."""

    message_id: UUID
    derived: list[DerivedOut]
    withheld: list[WithheldOut]
    awaited: list[Literal["episode", "memory"]] = Field(
        description="What may still be derived from it; empty while its turn is open."
    )
    turn_open: bool = Field(
        description="Whether its turn is open: it is learned from once an answer follows or the session ends."
    )
    ahead: AheadOut | None = Field(
        description="Null if it will not be learned from, or only later, with the turns that follow."
    )
