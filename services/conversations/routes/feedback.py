"""A person's feedback on an answer (MC-01)."""

from __future__ import annotations

from typing import Any, Final

from services.api import CurrentCaller, IdempotencyKey, request_id
from services.conversations.schemas import FeedbackIn, FeedbackOut
from shared.drift.observe import Observed, observe_feedback
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.preferences.give_feedback import Feedback, give_feedback
from shared.recall.sql import traces
from shared.runtime import telemetry
from shared.runtime.web import api_router
from shared.traits.reflect import queue_after_feedback

router = api_router(prefix="/api/v1", tags=["conversations"])

BODY_LIMITS: Final = {"/api/v1/feedback": 150_000}


@router.post("/feedback", status_code=201)
def post_feedback(body: FeedbackIn, caller: CurrentCaller, key: IdempotencyKey = None) -> FeedbackOut:
    """Store a person's feedback on an answer; an action with evidence is also used to learn preferences."""
    user_id = caller.user(body.user_id)
    given = Feedback(
        **body.model_dump(exclude={"user_id", "reason"}),
        **caller.reason(body.reason),
        learnable=caller.learnable(body.evidence_ref),
    )
    outcomes: list[str] = []
    drifts: list[Observed] = []

    def give(tx: Transaction, subject: Subject) -> dict[str, Any]:
        kept = give_feedback(tx, user_id, given, terms=caller.terms, actor=caller.actor)
        outcomes[:] = [kept.learned.outcome] if kept.learned else []
        drifts[:] = observe_feedback(
            tx,
            subjects.again(tx, subject),
            kept.feedback_id,
            body.related_object_ref,
            policy=caller.retention.drift_policy,
            terms=caller.terms,
        )
        if given.is_worded:
            queue_after_feedback(tx, subjects.again(tx, subject), terms=caller.terms)
        trace = {"route": "post_feedback", "actor": caller.actor, "feedback": str(kept.feedback_id)}
        traces.add(tx, subject, request_id(), trace, conversation_id=kept.conversation_id)
        return {"id": str(kept.feedback_id)}

    once = caller.once(key, body, route="post_feedback")
    answer = FeedbackOut(**caller.transact_once(once, lambda tx: caller.subject(tx, user_id), give))
    telemetry.drift_observed(drifts)
    for outcome in outcomes:
        telemetry.PREFERENCE_SIGNALS.labels(outcome=outcome).inc()
    return answer
