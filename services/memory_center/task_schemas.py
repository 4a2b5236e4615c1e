"""Request and response bodies of tasks and threads (FC-03, FC-16)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, Strict

from services.api import Body, UserId
from services.context_fields import ContextFields
from shared.contexts.rules.slices import Route

Thesis = Annotated[str, Field(min_length=1, max_length=1_000)]
ObjectRef = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\w.:\-]+$")]


class TaskIn(ContextFields):
    """A task: a recall with a route. What is said here is kept with the task, and erased a day after its end."""

    user_id: UserId | None = None
    route: Route
    conversation_id: UUID | None = None
    query: Annotated[str, Field(max_length=4_000)] = Field(default="", description="Not stored.")
    user_context_overrides: ContextFields | None = Field(
        default=None, description="The same fields once more, as the source names them; they win."
    )
    explicit_prompt_shown: Annotated[bool, Strict()] = Field(
        default=False,
        description="Changes nothing here: what is said for a task stays with it either way.",
    )


class TaskOut(Body):
    task_id: UUID
    route: Route
    expires_at: datetime = Field(description="When what was said for it is erased; a day after its end.")


class EndTaskIn(Body):
    user_id: UserId | None = None
    status: Literal["succeeded", "failed"]
    object_ref: ObjectRef | None = Field(
        default=None, description="What the task made. With consent to training it becomes a candidate, by reference."
    )


class TaskEndedOut(Body):
    task_id: UUID
    status: Literal["succeeded", "failed"]
    expires_at: datetime


class AcknowledgedIn(Body):
    consent_id: UUID


class SaveThreadIn(ContextFields):
    """Make a conversation a thread, or open one."""

    user_id: UserId | None = None
    conversation_id: UUID | None = None
    title: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    object_type: Literal["asset", "theme", "event"] = "asset"
    main_thesis: Thesis
    save_user_context: Annotated[bool, Strict()]
    consent_ack: AcknowledgedIn | None = Field(
        default=None, description="The consent that was shown; required with `save_user_context`."
    )


class ThreadSavedOut(Body):
    thread_id: UUID = Field(description="A thread is a conversation; this is its id.")


class QuestionUpdateIn(Body):
    id: Annotated[str, Field(min_length=1, max_length=200)]
    status: Literal["resolved", "reopened"]


class RefreshIn(Body):
    user_id: UserId | None = None
    task_id: UUID | None = None
    user_supplied_context: ContextFields | None = Field(
        default=None,
        description="What the person said meanwhile; it is added, and the newest of each field counts. `time_horizon`"
        " and `constraints` are kept with the task only, and not without one.",
    )
    current_thesis: Thesis
    changed_inferences: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=100)] = Field(
        default=[], description="Only counted."
    )
    watch_question_updates: Annotated[list[QuestionUpdateIn], Field(max_length=100)] = Field(default=[])


class ThreadPatch(Body):
    user_id: UserId | None = None
    consent_blocked: Literal[True] = Field(
        description="What the thread was told about the person is never loaded again."
    )


class ThreadOut(Body):
    thread_id: UUID
    blocked: int = Field(default=0, description="How many contexts this blocked.")


class PersonalizationOut(Body):
    """What may be arranged for a person. The set of advisors is the same for everybody."""

    route: Route
    advisors: list[str]
    advisor_set_fixed: Literal[True] = True
    skills: list[str]
    example_question: str
    task_types: list[Route]
    refresh_conditions: list[str]
    forbidden_execution_fields: list[str] = Field(description="The same for everybody.")
    refresh_frequency: Literal["manual"] = Field(default="manual", description="The same for everybody.")
