"""Observe that a person's view changed: in feedback, in a thread's thesis, in a question that came back (FC-08).

Nothing is changed because of it, and nobody is told but the person in their export. Observed only while the person
consented to keeping something.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from shared.consent.allows import allows
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents
from shared.drift.rules import (
    ALERTING,
    SCHEMA_VERSION,
    DriftPolicy,
    Grade,
    SignalKind,
    Thesis,
    comment_side,
    feedback_conflict,
    grade_reversal,
    reopened_in_time,
    stance_flip,
    summary_of,
)
from shared.drift.sql import drift, notes
from shared.drift.sql.drift import Drift, SourceKind
from shared.drift.sql.notes import Note
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import DriftObserved
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation

ACTOR = "system:drift"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A new signal. `warning`: there were many of them lately, or a thesis was turned around."""

    signal_kind: SignalKind
    triggers_alert: bool
    drift_id: str
    warning: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One of the two moments that a signal compares."""

    kind: SourceKind
    id: UUID
    value: str
    at: datetime
    object_ref: str


def observe_feedback(
    tx: Transaction, subject: Subject, feedback_id: UUID, object_ref: str | None, *, policy: DriftPolicy, terms: Terms
) -> list[Observed]:
    """Compare new feedback with earlier feedback on the same object. Call it after the feedback was stored."""
    if object_ref is None or not allows(tx, subject.id, "drift", terms=terms):
        return []
    found = drift.grades(tx, subject.id, object_ref, since=tx.now() - policy.within)
    since = consents.keeping_since(tx, subject.id)
    grade = next((one for one in found if one.id == feedback_id), None)
    if grade is None:
        return []
    earlier = [one for one in found if one.id != feedback_id and _is_since(one, since)]
    observed: list[Observed] = []
    if (prior := grade_reversal(grade, earlier, policy)) is not None:
        sides = _graded(prior, prior.rating, object_ref), _graded(grade, grade.rating, object_ref)
        observed += _keep(tx, subject, "grade_reversal", *sides, policy=policy)
    if (prior := feedback_conflict(grade, earlier, policy)) is not None:
        sides = (
            _graded(prior, _word(comment_side(prior.comment, policy)), object_ref),
            _graded(grade, _word(comment_side(grade.comment, policy)), object_ref),
        )
        observed += _keep(tx, subject, "feedback_conflict", *sides, policy=policy)
    return observed


def observe_thesis(
    tx: Transaction, subject: Subject, note: Note, inferences: int, *, policy: DriftPolicy, terms: Terms
) -> list[Observed]:
    """Compare a thread's new thesis with the one it held before. Call it after the note was stored."""
    if not allows(tx, subject.id, "drift", terms=terms):
        return []
    since = consents.keeping_since(tx, subject.id)
    earlier = [
        Thesis(id=one.id, at=one.noted_at, text=one.text)
        for one in notes.of_thread(tx, note.conversation_id, ["thesis"])
        if one.id != note.id and _is_since(one, since)
    ]
    prior = stance_flip(Thesis(id=note.id, at=note.noted_at, text=note.text), earlier, inferences, policy)
    if prior is None:
        return []
    ref = f"thread:{note.conversation_id}"
    sides = (
        _Side(kind="thread_note", id=prior.id, value="an earlier thesis", at=prior.at, object_ref=ref),
        _Side(kind="thread_note", id=note.id, value="another thesis", at=note.noted_at, object_ref=ref),
    )
    return _keep(
        tx,
        subject,
        "refresh_stance_flip",
        *sides,
        policy=policy,
        object_type=note.object_type,
    )


def scan_question(
    tx: Transaction, subject_id: UUID, note_id: UUID, *, policy: DriftPolicy, terms: Terms
) -> list[Observed]:
    """Look at a question that was reopened a while ago: was it resolved not long before, and not again since?"""
    enter_fence(tx, subject_id)
    notes.mark_scanned(tx, note_id)
    subject, note = subjects.read(tx, subject_id), notes.read(tx, note_id)
    if subject is None or note is None or not allows(tx, subject_id, "drift", terms=terms):
        return []
    of_it = [
        one for one in notes.of_thread(tx, note.conversation_id, ["resolved", "reopened"]) if one.text == note.text
    ]
    prior = max((one for one in of_it if one.id < note.id), key=lambda one: one.id, default=None)
    resolved_again = any(one.kind == "resolved" and one.id > note.id for one in of_it)
    if prior is None or prior.kind != "resolved" or resolved_again:  # one already open is not reopened
        return []
    since = consents.keeping_since(tx, subject_id)
    if not (_is_since(prior, since) and reopened_in_time(prior.noted_at, note.noted_at, policy)):
        return []
    ref = f"thread:{note.conversation_id}"
    return _keep(
        tx,
        subject,
        "watch_question_resolved_then_reopened",
        _Side(kind="thread_note", id=prior.id, value="resolved", at=prior.noted_at, object_ref=ref),
        _Side(kind="thread_note", id=note.id, value="reopened", at=note.noted_at, object_ref=ref),
        policy=policy,
    )


def _is_since(one: Grade | Note, since: UUID | None) -> bool:
    """Return whether something was said under the consent that holds: before it, or before a withdrawal, nothing is
    compared. Ids are in the order of time.
    """
    return since is not None and one.id > since


def _keep(
    tx: Transaction,
    subject: Subject,
    kind: SignalKind,
    prior: _Side,
    current: _Side,
    *,
    policy: DriftPolicy,
    object_type: str | None = None,
) -> list[Observed]:
    """Store a signal with its lineage, so that it is erased with either of the two things it compares."""
    id_, alert = new_id(), kind in ALERTING
    one = Drift(
        id=id_,
        drift_id=_drift_id(id_, current.at),
        signal_kind=kind,
        triggers_alert=alert,
        prior=(prior.kind, prior.id),
        current=(current.kind, current.id),
        contents={
            "object_ref": current.object_ref,
            "cognition_object": {"type": object_type} if object_type else {},
            "prior_signal": _signal(prior),
            "current_signal": _signal(current),
            "delta_summary": summary_of(kind, prior.at, prior.value, current.at, current.value),
        },
        observed_at=tx.now(),
    )
    if not drift.add(tx, subject, one, schema_version=SCHEMA_VERSION):
        return []
    edges = [
        Derivation(derived_kind="drift", derived_id=id_, source_kind=side.kind, source_id=side.id)
        for side in (prior, current)
    ]
    lineage.add(tx, subject, edges)
    event_log.append(tx, subject, id_, [DriftObserved(signal_kind=kind, triggers_alert=alert)], actor=ACTOR)
    counts = drift.recent(tx, subject.id, policy.warn_within)
    warning = (
        kind == "refresh_stance_flip"
        or counts.signals >= policy.warn_signals
        or (kind == "feedback_conflict" and counts.conflicts >= policy.warn_conflicts)
    )
    return [Observed(signal_kind=kind, triggers_alert=alert, drift_id=one.drift_id, warning=warning)]


def _graded(grade: Grade, value: str | None, object_ref: str) -> _Side:
    return _Side(kind="feedback", id=grade.id, value=value or "", at=grade.at, object_ref=object_ref)


def _word(side: int) -> str:
    return "agreement" if side > 0 else "disagreement"


def _signal(side: _Side) -> dict[str, str]:
    at = side.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"value": side.value, "captured_at": at, "captured_in_object_ref": side.object_ref}


def _drift_id(id_: UUID, at: datetime) -> str:
    """Return `drift_<iso time>_<six hexadecimal digits>`, the source's form."""
    digest = hashlib.sha256(id_.bytes).hexdigest()[:6]
    return f"drift_{at.astimezone(UTC):%Y%m%dT%H%M%SZ}_{digest}"
