"""Request and response bodies of consent and contexts (FC-01 to FC-05, FC-14)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, Strict

from services.api import AcceptedOut, Body
from services.context_fields import ContextFields
from shared.consent.rules.consents import Scope, State

Tick = Annotated[bool, Strict()]


class GrantIn(ContextFields):
    """What the person agrees to. Every scope is separate; preferences may be skipped, and null deletes one.

    A repeated grant is a new version. Scopes it does not mention stay as they were, unless the wording changed since;
    one that is false is withdrawn.
    """

    create_task: Tick = Field(default=True, description="False: no task may be started any more.")
    save_to_thread: Tick = False
    save_to_profile: Tick = False
    training_use_allowed: Tick = Field(default=False, description="Never a condition of anything else.")
    explicit_prompt_shown: Tick = Field(
        default=False, description="The person was asked about their positions in so many words."
    )
    text_version: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None,
        description="Of the wording the person saw. Without it: the current one, unless they agreed to another before.",
    )
    locale: (
        Annotated[str, Field(min_length=2, max_length=35, pattern=r"^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$")] | None
    ) = Field(default=None, description="Of the wording; default: from Accept-Language.")


class ConsentOut(Body):
    """One version of a person's consent."""

    consent_id: UUID
    version: int
    create_task: bool
    save_to_thread: bool
    save_to_profile: bool
    training_use_allowed: bool
    text_version: str
    locale: str
    channel: Literal["person", "service"]
    granted_at: datetime
    revoked_at: datetime | None = Field(description="When everything was withdrawn.")
    imported: bool = Field(default=False, description="Given to another installation; it grants nothing here.")


class GrantedOut(Body):
    consent_id: UUID
    version: int
    op_id: UUID = Field(description="The operation that has the consent recorded and signed.")
    receipt_id: UUID
    withdrawal: AcceptedOut | None = Field(
        default=None, description="The operation that erases what rested on scopes that ended."
    )


class StandingOut(Body):
    """Where a person stands, and what they said about themselves."""

    state: State = Field(description="`outdated`: the wording changed, so the person is asked again.")
    required: bool = Field(description="Whether this deployment starts no task before consent.")
    text_version: str = Field(description="Of the current wording.")
    consent: ConsentOut | None
    preferences: dict[str, str] = Field(description="The profile's fields.")
    goes_with: dict[Scope, dict[str, int]] = Field(
        description="How many items are erased or closed if a scope is withdrawn, by kind."
    )


class ConsentTextOut(Body):
    text_version: str
    locale: str
    text: str


class UserContextOut(Body):
    """What the person said about how to work for them."""

    id: UUID
    scope: Literal["task", "thread", "profile"]
    written_by: str
    task_id: UUID | None
    conversation_id: UUID | None
    consent_blocked: bool = Field(description="Kept and shown, never loaded.")
    training_excluded: bool
    expires_at: datetime | None
    created_at: datetime
    fields: dict[str, str]


class OnboardingIn(Body):
    step: Literal["acknowledgement", "consent", "preferences", "done"]


class OnboardingOut(Body):
    step: str


class DeletionStubOut(Body):
    deleted_at: datetime
    consent_version_at_deletion: int | None
