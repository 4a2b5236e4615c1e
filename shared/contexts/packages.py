"""How tasks, contexts and candidates are exported and imported."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.contexts.rules.fields import Field as ContextField
from shared.contexts.rules.fields import Scope, WrittenBy
from shared.contexts.rules.slices import Route
from shared.contexts.sql import packing
from shared.contexts.sql.tasks import Status
from shared.kernel.items import InPackages
from shared.kernel.records import Moment, Record


class Task(Record):
    """A recall with a route. It holds no words."""

    id: UUID
    route: Route
    status: Status
    conversation_id: UUID | None
    created_at: Moment
    ended_at: Moment | None


class Context(Record):
    """What the person said about how to work for them."""

    id: UUID
    scope: Scope
    written_by: WrittenBy
    task_id: UUID | None
    conversation_id: UUID | None
    at_seq: int | None
    consent_blocked: bool
    training_excluded: bool
    expires_at: Moment | None
    created_at: Moment
    fields: dict[ContextField, Annotated[str, Field(max_length=8_000)]]


class Candidate(Record):
    """What might be used for training one day: a reference, never what was said."""

    id: UUID
    object_ref: str = Field(max_length=1_000)
    status: Literal["pending"]
    withdrawal_status: Literal["none", "revoked"]
    conversation_id: UUID | None
    at_seq: int | None
    created_at: Moment


TASKS: Final = InPackages(form=Task, read=packing.tasks, refers_to={}, write={"tasks": packing.WRITE_TASKS})
CONTEXTS: Final = InPackages(
    form=Context, read=packing.contexts, refers_to={"task_id": "task"}, write={"contexts": packing.WRITE_CONTEXTS}
)
CANDIDATES: Final = InPackages(
    form=Candidate, read=packing.candidates, refers_to={}, write={"candidates": packing.WRITE_CANDIDATES}
)
