"""Preferences learned from feedback: record a signal, list counts, clear them (CN-06)."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Response
from pydantic import Field

from services.api import (
    AcceptedOut,
    Body,
    CurrentCaller,
    FeedbackReason,
    IdempotencyKey,
    UndoSeconds,
    UserId,
    UserIdQuery,
)
from shared.consent.allows import effective
from shared.consent.rules.consents import restricted
from shared.erasure.clear_preferences import clear_preferences
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.preferences.give_feedback import Feedback, teach_preference
from shared.preferences.rules import EVIDENCE_MAX, IGNORED, Action, Outcome
from shared.preferences.sql import signals as preference_signals
from shared.runtime import telemetry
from shared.runtime.web import api_router
from shared.traits.reflect import queue_after_feedback

router = api_router(prefix="/api/v1/memory/preferences", tags=["preferences"])


class IngestIn(Body):
    """A person's feedback on something. In privacy mode only its abstract label is stored, if it has one."""

    user_id: UserId | None = None
    action: Action
    evidence_ref: Annotated[
        str | None,
        Field(
            max_length=EVIDENCE_MAX,
            description="Subject: a short text or a label. Ignored if shorter than 3 letters or 2 Han characters.",
        ),
    ] = None
    reason: FeedbackReason | None = None
    conversation_id: UUID | None = Field(default=None, description="The feedback is forgotten with this conversation.")
    message_id: UUID | None = Field(
        default=None, description="The answer it is about; the feedback is forgotten with it."
    )


class LearnedOut(Body):
    outcome: Outcome
    count: int = Field(description="Number of signals with this action and topic so far.")
    threshold: int = Field(description="Number of signals that create a preference.")
    memory_id: UUID | None = Field(description="The preference it created or supports.")


class SignalsOut(Body):
    label: str = Field(description="An abstract label from a fixed list.")
    action: Literal["accept", "reject", "partial"]
    count: int


class PreferencesOut(Body):
    enabled: bool
    threshold: int
    signals: list[SignalsOut]
    ignored: int = Field(description="Number of feedback entries with too little evidence.")
    learned_memory_ids: list[UUID] = Field(description="The current preferences, newest first.")


class ClearPreferencesIn(Body):
    user_id: UserId | None = None
    undo_seconds: UndoSeconds = 0


@router.get("")
def get_preferences(caller: CurrentCaller, user_id: UserIdQuery = None) -> PreferencesOut:
    """Return a person's feedback counts by label and action, and the preferences learned."""

    def work(tx: Transaction) -> PreferencesOut:
        subject = caller.known_subject(tx, user_id)
        allowed = (
            effective(tx, subject.id, terms=caller.terms)
            if subject
            else restricted(caller.terms.defaults, None, caller.terms)
        )
        totals = preference_signals.totals(tx, subject.id) if subject else []
        return PreferencesOut(
            enabled=allowed.preference_learning_enabled,
            threshold=allowed.preference_learning_threshold,
            signals=[
                SignalsOut(label=one.label, action=one.action, count=one.count)
                for one in totals
                if one.label != IGNORED
            ],
            ignored=sum(one.count for one in totals if one.label == IGNORED),
            learned_memory_ids=[*preference_signals.learned_ids(tx, subject.id)] if subject else [],
        )

    return caller.transact(work)


@router.post("/ingest")
def ingest_preference(body: IngestIn, caller: CurrentCaller, key: IdempotencyKey = None) -> LearnedOut:
    """Count one accept, reject or partial. At the threshold, a preference is learned immediately."""
    user_id = caller.user(body.user_id)
    given = Feedback(
        **body.model_dump(exclude={"user_id", "reason"}),
        **caller.reason(body.reason),
        learnable=caller.learnable(body.evidence_ref),
    )
    outcomes: list[str] = []

    def learn(tx: Transaction, subject: Subject) -> dict[str, Any]:
        learned = teach_preference(tx, user_id, given, terms=caller.terms, actor=caller.actor)
        if learned.outcome != "off" and given.is_worded:
            queue_after_feedback(tx, subjects.again(tx, subject), terms=caller.terms)
        outcomes[:] = [learned.outcome]
        return {
            "outcome": learned.outcome,
            "count": learned.count,
            "threshold": learned.threshold,
            "memory_id": str(learned.memory_id) if learned.memory_id else None,
        }

    once = caller.once(key, body, route="ingest_preference")
    answer = LearnedOut(**caller.transact_once(once, lambda tx: caller.subject(tx, user_id), learn))
    for outcome in outcomes:
        telemetry.PREFERENCE_SIGNALS.labels(outcome=outcome).inc()
    return answer


@router.post("/clear", status_code=202)
def clear_learned_preferences(
    body: ClearPreferencesIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> AcceptedOut:
    """Forget every preference learned from feedback, with its signals and feedback."""
    return caller.forget(
        caller.once(key, body, route="clear_preferences"),
        response,
        lambda tx: caller.subject(tx, body.user_id),
        clear_preferences,
        undo_seconds=body.undo_seconds,
    )
