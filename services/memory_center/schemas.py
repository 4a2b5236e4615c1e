"""Request and response bodies of the memory center."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, Strict, model_validator

from services.api import Body, UndoSeconds, UserId


class Switches(Body):
    """OFF stops writing and recall and deletes nothing; ON resumes, and what was said meanwhile stays out for good."""

    summary_enabled: bool
    episodic_enabled: bool
    longterm_enabled: bool
    injection_enabled: bool = Field(
        description="Off: an assistant is given nothing that is remembered; it keeps the recent messages."
    )
    preference_learning_enabled: bool = Field(description="Off: feedback is kept, and nothing is learned from it.")
    privacy_mode_enabled: bool = Field(
        description="On: sentences with a name, a place, an organisation, a contact or an identifier are not learned;"
        " feedback teaches by its label alone, and no quote or comment of it is kept."
    )
    preference_learning_threshold: int = Field(description="So many signals of the same kind make a preference.")


Switch = Annotated[bool, Field(strict=True)]  # "no" and 0 do not count as false: a misread switch would go unnoticed
Threshold = Annotated[int, Field(ge=1, le=100, strict=True)]


class SettingsOut(Switches):
    user_id: str
    updated_at: datetime | None = Field(description="When a switch was last changed; null while all are defaults.")


class SettingsPut(Body):
    """Memory Center's three switches (MC-18); the others stay as they are."""

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


class SummaryOut(Body):
    status: Literal["none", "current", "rewriting", "off"] = Field(
        description="`rewriting`: a message it covered was forgotten, it is written again without it. `off`: kept, and "
        "not served while the switch is off."
    )
    id: UUID | None = Field(default=None, description="What an answer cites; null while there is none.")
    text: str = Field(default="", description="Empty while nothing was summarised.")
    version: int = Field(default=0, description="Counts on, whatever is forgotten; 0 while there is none.")
    method: str | None = Field(
        default=None, description="`extractive`: sentences as they were said. `model:<name>`: written by that model."
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
    conversation_title: str | None = Field(description="What the conversation is called, if it has a title.")


Token = Annotated[str, Field(max_length=300_000, description="From forget/find; good for 15 minutes.")]
PickedIds = Annotated[list[UUID], Field(min_length=1, max_length=2_000)]


class ForgetIn(Body):
    scope: Literal["message", "conversation", "user", "selection"]
    user_id: UserId | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    cascade: Annotated[bool, Strict()] = Field(default=False, description="For a message: its whole turn goes.")
    close_account: Annotated[bool, Strict()] = Field(
        default=False, description="For a user: settings, name and key go too; only a nameless stub remains."
    )
    undo_seconds: UndoSeconds = 0
    confirmation: Annotated[str, Field(max_length=50)] | None = Field(
        default=None, description="For a user: FORGET EVERYTHING or 忘掉一切."
    )
    token: Token | None = Field(default=None, description="For a selection: what forget/find answered.")
    ids: PickedIds | None = Field(
        default=None,
        description="For a selection: these of its candidates; default: those that are sure. "
        "Without a token, messages and memories by id.",
    )

    @model_validator(mode="after")
    def names_its_target(self) -> ForgetIn:
        picked = self.ids if self.token is None else self.token
        wanted = {"message": self.message_id, "conversation": self.conversation_id, "selection": picked}
        if self.scope in wanted and wanted[self.scope] is None:
            raise ValueError("the scope's id, ids or token is missing")
        if self.scope != "selection" and (self.token is not None or self.ids is not None):
            raise ValueError("token and ids need scope selection")
        if self.scope == "user" and self.undo_seconds:
            raise ValueError("forgetting everything cannot be undone")
        if self.scope != "user" and self.close_account:
            raise ValueError("closing an account needs scope user")
        return self


class AcceptedOut(Body):
    """The work goes on; nothing of the target is served from now on."""

    status: Literal["accepted"] = "accepted"
    op_id: UUID
    receipt_id: UUID | None = Field(description="Read its proof at /api/v1/receipts/{receipt_id}, account or not.")


class DryRunOut(Body):
    """What a forget would take."""

    counts: dict[str, dict[str, int]] = Field(description="By store and part: rows and keys.")
    turns_learned_again: int = Field(description="Turns that still support some of it; learned from again without it.")


class PreviewIn(Body):
    user_id: UserId | None = None
    token: Token | None = None
    ids: PickedIds | None = Field(
        default=None,
        description="These of its candidates; default: those that are sure. "
        "Without a token, messages and memories by id.",
    )

    @model_validator(mode="after")
    def names_something(self) -> PreviewIn:
        if self.token is None and self.ids is None:
            raise ValueError("a token or ids are needed")
        return self


class ConsequenceOut(Body):
    """One thing that would go."""

    kind: str
    id: UUID
    because: Literal["picked", "made_from_it"]
    what_is_left: bool = Field(description="Only part of it would go; what is left is written anew.")


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
    Field(description="About when the bytes left in data files are overwritten; null before `erased_at`, and after."),
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
    entries: list[EntryOut] = Field(description="`accepted`, and once proven `verified`: that one is the receipt.")
    remarks: dict[str, str] = Field(description="What the proof does not promise, by code.")


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
