"""How tasks, contexts and candidates are exported and imported."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Final, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from shared.contexts.rules.fields import ALLOWED, BYTES_MAX, Scope, WrittenBy, may_hold
from shared.contexts.rules.fields import Field as ContextField
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
    fields: dict[ContextField, Annotated[str, Field(max_length=2_000)]]

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Refuse what no installation could have written."""
        for name, allowed in ALLOWED.items():
            if self.fields.get(name, allowed[0]) not in allowed:
                raise ValueError(f"{name} has no such value")
        if not all(may_hold(self.scope, name, explicit_prompt_shown=True) for name in self.fields):
            raise ValueError("a context of this scope holds no such field")
        if len(json.dumps(self.fields, ensure_ascii=False).encode()) > BYTES_MAX:
            raise ValueError("a context has at most 8 KiB")
        is_task = self.scope == "task"
        if is_task != (self.expires_at is not None) or is_task != (self.task_id is not None):
            raise ValueError("a task's context has a task and an end, and no other has")
        if self.scope == "thread" and self.conversation_id is None:
            raise ValueError("a thread's context has a conversation")
        if (self.conversation_id is None) != (self.at_seq is None):
            raise ValueError("a place in a conversation has both parts")
        return self


class Candidate(Record):
    """What might be used for training one day: a reference, never what was said."""

    id: UUID
    object_ref: str = Field(max_length=1_000)
    status: Literal["pending"]
    withdrawal_status: Literal["none", "revoked"]
    conversation_id: UUID | None
    at_seq: int | None
    created_at: Moment


def _screened(record: Record, learnable: Callable[[str], str | None]) -> Record | None:
    """Leave out of a context what the installation never keeps."""
    assert isinstance(record, Context)  # noqa: S101 # the form of this kind
    fields = {name: learnable(value) for name, value in record.fields.items()}
    return record.model_copy(update={"fields": {name: value for name, value in fields.items() if value is not None}})


TASKS: Final = InPackages(form=Task, read=packing.tasks, refers_to={}, write={"tasks": packing.WRITE_TASKS})
CONTEXTS: Final = InPackages(
    form=Context,
    read=packing.contexts,
    refers_to={"task_id": "task"},
    write={"contexts": packing.WRITE_CONTEXTS},
    screened=_screened,
)
CANDIDATES: Final = InPackages(
    form=Candidate, read=packing.candidates, refers_to={}, write={"candidates": packing.WRITE_CANDIDATES}
)
