"""Reflect on a person: what their observations amount to by now (TR-02, TR-09).

One transaction: count what is new, compute the portrait, store what changed, and last the reflection itself, which is
the watermark. Repeating it finds nothing new and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.consent.allows import allows
from shared.consent.rules.policy import Terms
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import TraitsOff
from shared.kernel.events import ReflectionRun
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.language.script import Language, language_of
from shared.outbox.job_kinds import TRAIT_REFLECT
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Work
from shared.traits.portray import portray
from shared.traits.rules.confidence import IMPORTANCE_DUE
from shared.traits.rules.types import Cycle
from shared.traits.save import ACTOR, save
from shared.traits.sql import asking, lately, observations, recalls, reflections, writing
from shared.traits.sql.reflections import Trigger

IDLE_SECONDS: Final = 30 * 60
"""How long after the last observation a session counts as over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflected:
    """The result of one reflection: its id, new evidence, and traits that are new or changed."""

    cycle_id: UUID
    observations: int
    new: tuple[UUID, ...]
    changed: tuple[UUID, ...]
    transitions: tuple[tuple[str, str], ...]
    """Changes of stage, as (change, stage), for metrics."""


def queue_reflection(
    tx: Transaction, subject_id: UUID, *, trigger: Trigger, reason: str | None = None, delay_seconds: float = 0.0
) -> None:
    """Queue a reflection; there is at most one waiting for a person, and an earlier one is brought forward.

    One that was asked for stays so: it is noted whether or not it changes anything.
    """
    if trigger != "request" and reflections.is_requested(tx, subject_id):
        outbox.bring_forward(tx, TRAIT_REFLECT, str(subject_id))
        return
    payload = {"trigger": trigger, **({"reason": reason} if reason else {})}
    work = Work(kind=TRAIT_REFLECT, payload=payload, dedupe_key=str(subject_id), delay_seconds=delay_seconds)
    outbox.add(tx, subject_id, [work])
    if not delay_seconds:
        outbox.bring_forward(tx, TRAIT_REFLECT, str(subject_id))


def queue_reflections(tx: Transaction, *, subject_ids: Sequence[UUID], trigger: Trigger) -> None:
    """Queue a reflection on each of these people."""
    for subject_id in subject_ids:
        queue_reflection(tx, subject_id, trigger=trigger)


def request_reflection(tx: Transaction, subject: Subject, *, reason: str, terms: Terms) -> None:
    """Queue a reflection that was asked for.

    Raises:
        TraitsOff: traits are off for this person.
    """
    if not allows(tx, subject.id, "infer_traits", terms=terms):
        raise TraitsOff
    queue_reflection(tx, subject.id, trigger="request", reason=reason)


def queue_after_session(tx: Transaction, subject_id: UUID, *, asks: bool) -> None:
    """Queue a reflection at the end of a session, if it showed something new.

    Args:
        asks: whether a language model is asked what messages show, which the bundled reader may see nothing in.
    """
    subject = subjects.read(tx, subject_id)
    if subject is not None and (observations.any_new(tx, subject) or (asks and asking.any_new(tx, subject))):
        queue_reflection(tx, subject_id, trigger="session")


def queue_after_statement(tx: Transaction, subject: Subject, *, actor: str, terms: Terms) -> None:
    """Queue the reflection on a memory that was written or confirmed: what its person contradicts is not told then."""
    if actor == "person" and allows(tx, subject.id, "infer_traits", terms=terms):
        queue_reflection(tx, subject.id, trigger="session")


def queue_after_feedback(tx: Transaction, subject: Subject, *, terms: Terms) -> None:
    """Queue the reflection on feedback with words or a reason, for when the session is over."""
    if allows(tx, subject.id, "infer_traits", terms=terms):
        _queue_when_over(tx, subject.id)


def queue_after_learning(tx: Transaction, subject: Subject) -> None:
    """Queue a reflection at once if much was learned that a language model was not asked about yet (TR-09)."""
    if asking.any_new(tx, subject) and reflections.importance_since(tx, subject) >= IMPORTANCE_DUE:
        queue_reflection(tx, subject.id, trigger="importance")


def queue_after_observing(tx: Transaction, subject: Subject) -> None:
    """Queue the reflection on new observations: at once if much was learned, else when the session is over.

    A session without an end is over after half an hour without another observation.
    """
    important = reflections.importance_since(tx, subject) >= IMPORTANCE_DUE
    if important:
        queue_reflection(tx, subject.id, trigger="importance")
    else:
        _queue_when_over(tx, subject.id)


def _queue_when_over(tx: Transaction, subject_id: UUID) -> None:
    if not outbox.put_off(tx, TRAIT_REFLECT, str(subject_id), seconds=IDLE_SECONDS):
        queue_reflection(tx, subject_id, trigger="session", delay_seconds=IDLE_SECONDS)


def reflect(
    tx: Transaction,
    subject_id: UUID,
    *,
    trigger: Trigger,
    terms: Terms,
    reason: str | None = None,
    now: datetime | None = None,
) -> Reflected | None:
    """Reflect on one person; None if traits are off, or if nothing is new and nothing changes.

    Args:
        reason: why it was requested, from a closed list.
        now: the time of the reflection; the database's clock if None.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    one_at_a_time(tx, "reflection", str(subject_id))
    enter_fence(tx, subject_id)
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return None
    if subject.user_id:  # of a closed account nothing is noted
        reflections.note_looked(tx, subject, now or tx.now())
    if not allows(tx, subject.id, "infer_traits", terms=terms):
        return None
    cycle = Cycle(id=new_id(), at=now or tx.now(), grouped=terms.permitted.clustering)
    found = observations.count_new(tx, subject, cycle.id)
    recalls.count_recalled(tx, subject, cycle.id)
    made = portray(tx, subject, now=cycle.at, present=cycle)
    saved = save(tx, subject, made, cycle_id=cycle.id, language=lambda: _language(tx, subject))
    writing.remove(tx, saved.unsupported)  # such as what rested on a memory that was edited
    steps = [step for trait in made.values() for step in trait.steps if step.cycle == cycle.id]
    if not (found or saved.changed or trigger == "request"):
        return None
    counts = {"observations": found, "new": len(saved.new), "changed": len(saved.changed)}
    counts |= {f"steps_{change}": count for change, count in sorted(Counter(step.change for step in steps).items())}
    if not cycle.grouped:
        counts["ungrouped"] = 1
    reflections.add(tx, subject, cycle, trigger=trigger, reason=reason, counts=counts)
    run = ReflectionRun(trigger=trigger, at=cycle.at, counts=counts)
    event_log.append(tx, subject, cycle.id, [run], actor=ACTOR)
    return Reflected(
        cycle_id=cycle.id,
        observations=found,
        new=saved.new,
        changed=saved.changed,
        transitions=tuple((step.change, step.stage) for step in steps if step.stage is not None),
    )


def _language(tx: Transaction, subject: Subject) -> Language:
    """Return the language the person mostly writes in."""
    texts = lately.recent_texts(tx, subject)
    chinese = sum(language_of(text) == "zh" for text in texts)
    return "zh" if 2 * chinese > len(texts) else "en"
