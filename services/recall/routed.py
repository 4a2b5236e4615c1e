"""A recall for a task: the slices of its route, and the trace of what was loaded (FC-04, FC-06)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from fastapi import Request

from services.api import Caller
from services.context_fields import screened_fields
from services.recall.context_schemas import ContextTrace, HintOut, RecallIn
from shared.consent.allows import require
from shared.consent.sql import consents, hints
from shared.contexts.known import is_cold, known_for
from shared.contexts.open_task import open_task
from shared.contexts.rules.slices import Loaded, Route, load
from shared.contexts.sql import tasks
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, TaskEndedAlready
from shared.kernel.subjects import Subject
from shared.recall import prompts
from shared.recall.rules.assembling import Given
from shared.runtime import telemetry
from shared.runtime.policies import RetentionPolicy

EVIDENCE: Route = "evidence_audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """What a task adds to a recall.

    Args:
        conversation_id: the task's, unless the request names one.
        given: which memories the task is given.
        cold: nothing is stored that the prompt could be arranged by.
    """

    task_id: UUID
    conversation_id: UUID | None
    loaded: Loaded
    given: Given
    cold: bool

    @property
    def trace(self) -> ContextTrace:
        """What was loaded, for the answer and the debug record."""
        loaded = self.loaded
        return ContextTrace(
            slices_loaded=list(loaded.values),
            slices_defaulted=list(loaded.defaulted),
            slices_skipped_missing=list(loaded.skipped_missing),
            slices_blocked_by_consent=list(loaded.blocked_by_consent),
            slices_cut=list(loaded.cut),
            total_memory_tokens_estimated=loaded.tokens,
        )


def routed(body: RecallIn, request: Request, caller: Caller) -> Routed | None:
    """Return what the task of a recall adds; None if it is for none.

    A route without a task begins one. The slices are read in one transaction with the consent that allows them, so that
    none is loaded after its withdrawal was accepted.

    Raises:
        ConsentRequired: no task may begin, or go on.
        NotFound: the task or the conversation is not this person's.
        TaskEndedAlready: the task ended.
    """
    if body.route is None and body.task_id is None:
        return None
    policy: RetentionPolicy = request.app.state.retention
    overrides = screened_fields(body.user_context_overrides, caller.sensitivity)
    given = {name: value for name, value in overrides.items() if value is not None}

    def work(tx: Transaction) -> Routed:
        subject = caller.subject(tx, body.user_id)
        task_id, route, conversation_id = _task(tx, body, subject, caller, policy, overrides)
        known = known_for(
            tx,
            subject.id,
            task_id=task_id,
            conversation_id=body.conversation_id or conversation_id,
            overrides=given,
            counted=policy.drift.counted,
            terms=caller.terms,
        )
        loaded = load(route, known, policy.slice_policy, question=body.question, count=prompts.count)
        return Routed(
            task_id=task_id,
            conversation_id=body.conversation_id or conversation_id,
            loaded=loaded,
            given=_given(route, policy),
            cold=is_cold(consents.current(tx, subject.id), known),
        )

    found = caller.transact(work)
    with telemetry.span(
        "context_built",
        slices_loaded=list(found.loaded.values),
        slices_skipped_missing=list(found.loaded.skipped_missing),
        slices_blocked_by_consent=list(found.loaded.blocked_by_consent),
        total_memory_tokens_estimated=found.loaded.tokens,
    ):
        return found


def hint_for(found: Routed, body: RecallIn, request: Request, caller: Caller) -> HintOut | None:
    """Return the hint that preferences can be set, at most once in the policy's time, where none are (FC-14)."""
    if not found.cold:
        return None
    every = request.app.state.retention.consent.hint_every
    due = caller.transact(lambda tx: hints.take_turn(tx, caller.subject(tx, body.user_id), every))
    return HintOut() if due else None


def _task(
    tx: Transaction,
    body: RecallIn,
    subject: Subject,
    caller: Caller,
    policy: RetentionPolicy,
    overrides: dict[str, str | None],
) -> tuple[UUID, Route, UUID | None]:
    if body.task_id is not None:
        task = tasks.read(tx, subject.id, body.task_id)
        if task is None or (body.route is not None and body.route != task.route):
            raise NotFound("task")
        if task.ended_at is not None:
            raise TaskEndedAlready
        require(tx, subject.id, "create_task", terms=caller.terms)
        return task.id, task.route, task.conversation_id
    assert body.route is not None  # noqa: S101 # one of the two is there
    task, _ = open_task(
        tx,
        subject,
        body.route,
        overrides,
        conversation_id=body.conversation_id,
        kept=policy.contexts.task_kept,
        terms=caller.terms,
        actor=caller.actor,
    )
    return task.id, task.route, task.conversation_id


def _given(route: Route, policy: RetentionPolicy) -> Given:
    if route == EVIDENCE and not policy.permitted.evidence_personalization:
        return "none"
    return "confirmed" if policy.memories.confirmed_for_routes else "all"
