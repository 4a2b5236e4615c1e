"""Tasks and threads of an assistant, and what may be arranged for a person (FC-03, FC-07, FC-16)."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Query

from services.api import Caller, CurrentCaller, IdempotencyKey, UserIdQuery
from services.context_fields import screened_fields, screened_texts
from services.memory_center.task_schemas import (
    EndTaskIn,
    ObjectRef,
    PersonalizationOut,
    RefreshIn,
    SaveThreadIn,
    TaskEndedOut,
    TaskIn,
    TaskOut,
    ThreadOut,
    ThreadPatch,
    ThreadSavedOut,
)
from shared.consent.allows import effective
from shared.consent.sql import consents
from shared.contexts.open_task import end_task, open_task
from shared.contexts.rules.fields import FINANCIAL, newest_of_each
from shared.contexts.rules.personalization import advisors_for, skills_for, task_types_for
from shared.contexts.rules.slices import THREADS_MAX, Route
from shared.contexts.sql import contexts, tasks
from shared.contexts.threads import NewThread, QuestionUpdate, forget_thread_preferences, refresh_thread, save_as_thread
from shared.drift.observe import Observed
from shared.drift.rules import ObjectType
from shared.drift.sql import notes
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["tasks"])

BODY_LIMITS: Final = {"/api/v1/tasks": 200_000, "/api/v1/snapshots/": 100_000, "/api/v1/threads/": 1_000_000}
"""What people say about themselves, every character escaped; a refresh lists what it changed."""


@router.post("/tasks", status_code=201)
def create_task(body: TaskIn, caller: CurrentCaller, key: IdempotencyKey = None) -> TaskOut:
    """Begin a task. Where consent is required and missing, this is a 403 that names the scopes."""
    fields = screened_fields(body)
    fields |= screened_fields(body.user_context_overrides)

    def begin(tx: Transaction, subject: Subject) -> dict[str, Any]:
        task, expires_at = open_task(
            tx,
            subject,
            body.route,
            fields,
            conversation_id=body.conversation_id,
            kept=caller.retention.contexts.task_kept,
            terms=caller.terms,
            actor=caller.actor,
        )
        return {"task_id": str(task.id), "route": task.route, "expires_at": expires_at.isoformat()}

    once = caller.once(key, body, route="create_task")
    answer = TaskOut(**caller.transact_once(once, lambda tx: caller.subject(tx, body.user_id), begin))
    telemetry.memory_written("write", "task")
    return answer


@router.post("/tasks/{task_id}/end")
def finish_task(task_id: Annotated[UUID, Path()], body: EndTaskIn, caller: CurrentCaller) -> TaskEndedOut:
    """End a task, also a failed one; from now on what was said for it has a day."""

    def work(tx: Transaction) -> TaskEndedOut:
        subject = caller.owner(tx, "task", task_id, body.user_id)
        expires_at = end_task(
            tx,
            subject,
            task_id,
            body.status,
            object_ref=body.object_ref,
            kept=caller.retention.contexts.task_kept,
            terms=caller.terms,
            actor=caller.actor,
        )
        task = tasks.read(tx, subject.id, task_id)
        assert task is not None and task.status != "running"  # noqa: S101, PT018 # it was just ended
        return TaskEndedOut(task_id=task_id, status=task.status, expires_at=expires_at)

    return caller.transact(work)


@router.post("/snapshots/{object_ref}/save-as-thread", status_code=201)
def save_snapshot_as_thread(
    object_ref: Annotated[ObjectRef, Path()], body: SaveThreadIn, caller: CurrentCaller, key: IdempotencyKey = None
) -> ThreadSavedOut:
    """Save what a task made as a thread. What the person said is kept with it only if they want and agreed to that."""
    fields = screened_fields(body)
    said = {"thesis": body.main_thesis, **({"title": body.title} if body.title else {})}
    said = screened_texts(said, caller.sensitivity)
    new = NewThread(
        object_ref=object_ref,
        object_type=body.object_type,
        main_thesis=said["thesis"],
        title=said.get("title"),
        fields=fields,
        save_user_context=body.save_user_context,
        acknowledged=body.consent_ack.consent_id if body.consent_ack else None,
    )

    def save(tx: Transaction, subject: Subject) -> dict[str, Any]:
        thread_id = save_as_thread(
            tx, subject, new, conversation_id=body.conversation_id, terms=caller.terms, actor=caller.actor
        )
        return {"thread_id": str(thread_id)}

    once = caller.once(key, body, route=f"save_as_thread {object_ref}")
    answer = ThreadSavedOut(**caller.transact_once(once, lambda tx: caller.subject(tx, body.user_id), save))
    if body.save_user_context:
        telemetry.memory_written("write", "thread")
    return answer


@router.post("/threads/{thread_id}/refresh")
def refresh_a_thread(
    thread_id: Annotated[UUID, Path()], body: RefreshIn, caller: CurrentCaller, key: IdempotencyKey = None
) -> ThreadOut:
    """Store what a refresh of a thread found, and what the person said meanwhile."""
    supplied = screened_fields(body.user_supplied_context)
    thesis = screened_texts({"thesis": body.current_thesis}, caller.sensitivity)["thesis"]
    questions = screened_texts({one.id: one.id for one in body.watch_question_updates}, caller.sensitivity)
    for_task: dict[str, str | None] = {name: value for name, value in supplied.items() if name in FINANCIAL}
    supplied = {name: value for name, value in supplied.items() if name not in FINANCIAL}
    observed: list[Observed] = []

    def refresh(tx: Transaction, subject: Subject) -> dict[str, Any]:
        observed[:] = refresh_thread(
            tx,
            subject,
            thread_id,
            task_id=body.task_id,
            supplied=supplied,
            for_task=for_task,
            task_kept=caller.retention.contexts.task_kept,
            current_thesis=thesis,
            changed_inferences=len(body.changed_inferences),
            questions=[QuestionUpdate(id=questions[one.id], status=one.status) for one in body.watch_question_updates],
            drift_policy=caller.retention.drift_policy,
            terms=caller.terms,
            actor=caller.actor,
        )
        return {"thread_id": str(thread_id)}

    once = caller.once(key, body, route=f"refresh_thread {thread_id}")
    found = caller.transact_once(once, lambda tx: caller.owner(tx, "conversation", thread_id, body.user_id), refresh)
    answer = ThreadOut(**found)
    telemetry.drift_observed(observed)
    if for_task:
        telemetry.memory_written("write", "task")
    if supplied:
        telemetry.memory_written("write", "thread")
    return answer


@router.patch("/threads/{thread_id}")
def update_thread(thread_id: Annotated[UUID, Path()], body: ThreadPatch, caller: CurrentCaller) -> ThreadOut:
    """Forget a thread's preferences: they are kept and shown, and never loaded again. The thread stays."""

    def work(tx: Transaction) -> int:
        subject = caller.owner(tx, "conversation", thread_id, body.user_id)
        return forget_thread_preferences(tx, subject, thread_id, actor=caller.actor)

    blocked = caller.transact(work)
    telemetry.memory_written("block", "thread")
    return ThreadOut(thread_id=thread_id, blocked=blocked)


@router.get("/personalization")
def get_personalization(
    caller: CurrentCaller,
    route: Annotated[Route, Query()],
    object_type: Annotated[ObjectType, Query(description="For the refresh conditions.")] = "asset",
    user_id: UserIdQuery = None,
) -> PersonalizationOut:
    """Return the order of advisors, skills and examples for a person. Which advisors there are is never personal."""
    arranging, policy = caller.retention.arrangements, caller.retention.slice_policy

    def work(tx: Transaction) -> PersonalizationOut:
        subject = caller.known_subject(tx, user_id)
        profile, kinds, recent = _known(tx, caller, subject) if subject else ({}, [], [])
        language = profile.get("language_preference", "en")
        return PersonalizationOut(
            route=route,
            advisors=advisors_for(route, profile.get("risk_prompt_preference"), arranging, policy),
            skills=skills_for(route, kinds, arranging, policy),
            example_question=arranging.examples.get(language, arranging.examples["en"]),
            task_types=task_types_for(recent),
            refresh_conditions=list(arranging.refresh_conditions[object_type]),
            forbidden_execution_fields=list(arranging.forbidden_execution_fields),
        )

    return caller.transact(work)


def _known(tx: Transaction, caller: Caller, subject: Subject) -> tuple[dict[str, str], list[str], list[Route]]:
    """Return the profile, what the newest threads are about, and the newest routes, as far as consent allows.

    Nothing from before a withdrawal is used, also after consenting again.
    """
    if not effective(tx, subject.id, terms=caller.terms).injection_enabled:
        return {}, [], []
    consent = consents.current(tx, subject.id)
    may_profile = consent is not None and consent.save_to_profile
    profile = [one.fields for one in contexts.of_scope(tx, subject.id, "profile")] if may_profile else []
    may_threads = consent is not None and consent.save_to_thread
    since = consents.last_withdrawal(tx, subject.id, "save_to_thread")
    threads = notes.newest_threads(tx, subject.id, limit=THREADS_MAX, since=since) if may_threads else []
    kinds = [one.object_type for one in threads if one.object_type is not None]
    withdrawn = consent is not None and consent.revoked_at is not None
    after = consents.last_withdrawal(tx, subject.id, "save_to_profile")
    routes = [] if withdrawn else tasks.recent_routes(tx, subject.id, since=after)
    return newest_of_each(profile), list(kinds), routes
