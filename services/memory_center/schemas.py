"""Request and response bodies of the memory center."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, Strict, model_validator

from services.api import Body, TimeZone, UndoSeconds, UserId


class Switches(Body):
    """OFF stops writing and recall but deletes nothing. What was said while OFF stays excluded after ON."""

    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool = Field(description="Off: the assistant receives recent messages only, and no memories.")
    preference_learning_enabled: bool = Field(description="Off: feedback is stored, but nothing is learned from it.")
    privacy_mode_enabled: bool = Field(
        description="On: sentences with a name, a place, an organisation, a contact or an identifier are not learned;"
        " only the label of feedback is learned from, and its quotes and comments are not stored."
    )
    preference_learning_threshold: int = Field(
        description="Number of signals of the same kind that create a preference."
    )
    traits_enabled: bool = Field(
        description="Off: no traits are inferred or used; those there are stay. They also need long-term memory and "
        "injection."
    )
    time_zone: str | None = Field(
        description="A name of the IANA database. Without it the hours of messages show nothing."
    )


Switch = Annotated[bool, Field(strict=True)]  # "no" and 0 do not count as false: a misread switch would go unnoticed
Threshold = Annotated[int, Field(ge=1, le=100, strict=True)]


class SettingsOut(Switches):
    user_id: str
    updated_at: datetime | None = Field(description="When a switch was last changed; null if all have their defaults.")


class SettingsPut(Body):
    """Memory Center's three switches (MC-18); the others do not change."""

    user_id: UserId | None = None
    summary_enabled: Switch
    episodic_enabled: Switch
    longterm_enabled: Switch


class SettingsPatch(Body):
    """Any subset of the switches."""

    user_id: UserId | None = None
    summary_enabled: Switch = Field(default=None)  # type: ignore[assignment]  # absent, never null
    episodic_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    longterm_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    injection_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    preference_learning_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    privacy_mode_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    preference_learning_threshold: Threshold = Field(default=None)  # type: ignore[assignment]
    traits_enabled: Switch = Field(default=None)  # type: ignore[assignment]
    time_zone: TimeZone | None = None


class ClearTraitsIn(Body):
    user_id: UserId | None = None
    undo_seconds: UndoSeconds = 0


class SummaryOut(Body):
    status: Literal["none", "current", "rewriting", "off"] = Field(
        description="`rewriting`: a message it covered was forgotten; the summary is being rewritten. `off`: stored, "
        "but not served while the switch is off."
    )
    id: UUID | None = Field(default=None, description="The id that answers cite; null if there is no summary.")
    text: str = Field(default="", description="Empty if there is no summary.")
    version: int = Field(default=0, description="Never decreases, even after a forget; 0 without a summary.")
    method: str | None = Field(
        default=None, description="`extractive`: sentences copied from messages. `model:<name>`: written by that model."
    )
    covered_message_count: int = 0
    covered_from: int | None = Field(default=None, description="The first covered message's seq.")
    covered_through: int | None = Field(default=None, description="The last covered message's seq.")
    updated_at: datetime | None = None


class SourceOut(Body):
    message_id: UUID
    conversation_id: UUID
    role: str
    turn: int
    session: int
    quote: str | None
    quote_start: int | None
    quote_end: int | None
    spoken_at: datetime
    conversation_title: str | None = Field(description="The conversation's title, if any.")


Token = Annotated[str, Field(max_length=300_000, description="From forget/find; valid for 15 minutes.")]
PickedIds = Annotated[list[UUID], Field(min_length=1, max_length=2_000)]


class ForgetIn(Body):
    scope: Literal["message", "conversation", "user", "selection"]
    user_id: UserId | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    cascade: Annotated[bool, Strict()] = Field(default=False, description="For scope message: forget its whole turn.")
    close_account: Annotated[bool, Strict()] = Field(
        default=False,
        description="For scope user: also erase settings, name and key; only an anonymous record remains.",
    )
    undo_seconds: UndoSeconds = 0
    confirmation: Annotated[str, Field(max_length=50)] | None = Field(
        default=None, description="For scope user: FORGET EVERYTHING or 忘掉一切."
    )
    token: Token | None = Field(default=None, description="For scope selection: the token from forget/find.")
    ids: PickedIds | None = Field(
        default=None,
        description="For scope selection: ids of the token's candidates; default: those marked `sure`. "
        "Without a token: ids of messages and memories.",
    )

    @model_validator(mode="after")
    def names_its_target(self) -> ForgetIn:
        picked = self.ids if self.token is None else self.token
        wanted = {"message": self.message_id, "conversation": self.conversation_id, "selection": picked}
        if self.scope in wanted and wanted[self.scope] is None:
            raise ValueError("the scope's id, ids or token is missing")
        if self.scope != "selection" and (self.token is not None or self.ids is not None):
            raise ValueError("token and ids need scope selection")
        if self.message_id is not None and self.scope != "message":
            raise ValueError("message_id needs scope message")
        if self.conversation_id is not None and self.scope in ("user", "selection"):
            raise ValueError("conversation_id needs scope conversation or message")
        if self.scope == "user" and self.undo_seconds:
            raise ValueError("forgetting everything cannot be undone")
        if self.scope != "user" and self.close_account:
            raise ValueError("closing an account needs scope user")
        return self


class DryRunOut(Body):
    """What a forget would erase."""

    counts: dict[str, dict[str, int]] = Field(description="Number of rows and keys, by store and part.")
    turns_learned_again: int = Field(
        description="Number of turns that also support erased memories; they are learned from again."
    )


class ForgetPreviewIn(Body):
    user_id: UserId | None = None
    token: Token | None = None
    ids: PickedIds | None = Field(
        default=None,
        description="Ids of the token's candidates; default: those marked `sure`. "
        "Without a token: ids of messages and memories.",
    )

    @model_validator(mode="after")
    def names_something(self) -> ForgetPreviewIn:
        if self.token is None and self.ids is None:
            raise ValueError("a token or ids are needed")
        return self


class ConsequenceOut(Body):
    """One item that would be erased."""

    kind: str
    id: UUID
    because: Literal["picked", "made_from_it"]
    what_is_left: bool = Field(description="Only part of it would be erased; the rest is rewritten.")


class PreviewOut(DryRunOut):
    items: list[ConsequenceOut]


class EntryOut(Body):
    """One entry of the ledger: hash = SHA-256(prev_hash ‖ canonical body), signed with the body's public key."""

    body: dict[str, Any]
    prev_hash: str
    hash: str
    signature: str


PurgeExpected = Annotated[
    datetime | None,
    Field(description="When leftover bytes should be overwritten; null before `erased_at` and after the purge."),
]


class ReceiptOut(Body):
    receipt_id: UUID
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    type: str
    scope: str
    unrecallable_at: datetime | None
    erased_at: datetime | None
    purged_at: datetime | None
    purge_expected_at: PurgeExpected = None
    entries: list[EntryOut] = Field(description="`accepted` and, after verification, `verified`, which is the receipt.")
    remarks: dict[str, str] = Field(description="Limits of the proof, by code.")


class CancelledOut(Body):
    status: Literal["cancelled"] = "cancelled"
    op_id: UUID


class StepOut(Body):
    name: str
    status: Literal["waiting", "ready", "running", "succeeded", "failed", "cancelled"]
    attempts: int
    counts: dict[str, int]
    last_error: str | None
    next_retry_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


class OperationOut(Body):
    id: UUID
    type: str
    scope: str
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    progress: float
    retry_count: int
    last_error: str | None
    receipt_id: UUID | None
    unrecallable_at: datetime | None
    erased_at: datetime | None
    purged_at: datetime | None
    purge_expected_at: PurgeExpected = None
    not_before: datetime | None
    version: int
    created_at: datetime
    updated_at: datetime
    steps: list[StepOut]


class RetriedOut(Body):
    status: Literal["accepted"] = "accepted"
    op_id: UUID
    retried_steps: int
