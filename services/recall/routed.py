"""A recall for a task: the slices of its route, and the trace of what was loaded (FC-04, FC-06)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fastapi import Request

from services.api import Caller
from services.context_fields import screened_fields
from services.recall.context_schemas import ContextTrace, HintOut, RecallIn
from shared.consent.allows import require
from shared.consent.sql import consents, hints
from shared.contexts.known import is_cold, known_for
from shared.contexts.open_task import open_task
from shared.contexts.rules.slices import Loaded, Route, load
from shared.contexts.sql import contexts, tasks
from shared.contexts.sql.tasks import Task
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, TaskEndedAlready
from shared.kernel.subjects import Subject
from shared.language.script import Language
from shared.recall import prompts
from shared.recall.assemble import UserContext
from shared.recall.rules.assembling import Given
from shared.runtime import telemetry
from shared.runtime.policies import RetentionPolicy

EVIDENCE: Route = "evidence_audit"


class Routed:
    """What a task adds to a recall. Its slices are read when everything else was: `user_context` does.

    Args:
        conversation_id: the task's, unless the request names one.
        given: which memories the task is given.
    """

    def __init__(
        self,
        caller: Caller,
        policy: RetentionPolicy,
        body: RecallIn,
        task: Task,
        overrides: Mapping[str, str],
    ) -> None:
        self._caller, self._policy, self._body, self._task, self._overrides = caller, policy, body, task, overrides
        self.conversation_id = body.conversation_id or task.conversation_id
        self.given = _given(task.route, policy)
        self._loaded: Loaded | None = None
        self._hint: HintOut | None = None

    def user_context(self) -> UserContext:
        """Read the slices in one transaction with the consent that allows them, and whether a hint is due (FC-14)."""
        loaded, self._hint = self._caller.transact(self._read)
        self._loaded = loaded
        with telemetry.span(
            "context_built",
            slices_loaded=list(loaded.values),
            slices_skipped_missing=list(loaded.skipped_missing),
            slices_blocked_by_consent=list(loaded.blocked_by_consent),
            total_memory_tokens_estimated=loaded.tokens,
        ):
            language: Language | None = None
            if "S1" in loaded.values and "S1" not in loaded.defaulted:
                language = "zh" if loaded.values["S1"] == "zh" else "en"
            return UserContext(block=loaded.block, language=language)

    def members(self) -> dict[str, object]:
        """Return what the answer says about the task: the block, the trace of what was loaded, and the hint."""
        loaded = self._loaded
        assert loaded is not None  # noqa: S101 # the context was assembled
        trace = ContextTrace(
            slices_loaded=list(loaded.values),
            slices_defaulted=list(loaded.defaulted),
            slices_skipped_missing=list(loaded.skipped_missing),
            slices_blocked_by_consent=list(loaded.blocked_by_consent),
            slices_cut=list(loaded.cut),
            total_memory_tokens_estimated=loaded.tokens,
        )
        return {
            "task_id": self._task.id,
            "user_context": loaded.block or None,
            "context_trace": trace,
            "hint": self._hint,
        }

    def _read(self, tx: Transaction) -> tuple[Loaded, HintOut | None]:
        caller, policy = self._caller, self._policy
        subject = caller.subject(tx, self._body.user_id)
        known = known_for(
            tx,
            subject.id,
            task_id=self._task.id,
            conversation_id=self.conversation_id,
            overrides=self._overrides,
            counted=policy.drift.counted,
            terms=caller.terms,
        )
        titles = [caller.masked(title) or "" for title in known.titles]
        loaded = load(
            self._task.route,
            replace(known, titles=titles),
            policy.slice_policy,
            question=self._body.question,
            count=prompts.count,
        )
        due = is_cold(consents.current(tx, subject.id), known) and hints.take_turn(
            tx, subject, policy.consent.hint_every
        )
        return loaded, HintOut() if due else None


def routed(body: RecallIn, request: Request, caller: Caller) -> Routed | None:
    """Return what the task of a recall adds; None if it is for none. A route without a task begins one.

    Raises:
        ConsentRequired: no task may begin, or go on.
        NotFound: the task or the conversation is not this person's.
        TaskEndedAlready: the task ended.
    """
    if body.route is None and body.task_id is None:
        return None
    policy: RetentionPolicy = request.app.state.retention
    overrides = screened_fields(body.user_context_overrides)
    task = caller.transact(lambda tx: _task(tx, body, caller.subject(tx, body.user_id), caller, policy, overrides))
    if body.task_id is None:
        telemetry.memory_written("write", "task")
    return Routed(caller, policy, body, task, {name: value for name, value in overrides.items() if value is not None})


def hint_in_chat(user_id: str | None, request: Request, caller: Caller) -> HintOut | None:
    """Return the hint for an answer of the built-in chat, where this deployment asks for consent (FC-14)."""
    if not caller.terms.consent.required:
        return None

    def work(tx: Transaction) -> bool:
        subject = caller.known_subject(tx, user_id)
        if subject is None or contexts.of_scope(tx, subject.id, "profile"):
            return False
        consent = consents.current(tx, subject.id)
        every = request.app.state.retention.consent.hint_every
        return (consent is None or consent.revoked_at is None) and hints.take_turn(tx, subject, every)

    return HintOut() if caller.transact(work) else None


def _task(
    tx: Transaction,
    body: RecallIn,
    subject: Subject,
    caller: Caller,
    policy: RetentionPolicy,
    overrides: Mapping[str, str | None],
) -> Task:
    if body.task_id is not None:
        found = tasks.read(tx, subject.id, body.task_id)
        if found is None or (body.route is not None and body.route != found.route):
            raise NotFound("task")
        if found.ended_at is not None:
            raise TaskEndedAlready
        require(tx, subject.id, "create_task", terms=caller.terms)
        return found
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
    return task


def _given(route: Route, policy: RetentionPolicy) -> Given:
    if route == EVIDENCE and not policy.permitted.evidence_personalization:
        return "none"
    return "confirmed" if policy.memories.confirmed_for_routes else "all"
