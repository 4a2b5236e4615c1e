"""Tasks: begin one, end one; what the person said for it stays with it for a day (FC-01, FC-03)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from shared.consent.allows import allows, require
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents
from shared.contexts.candidates import make_candidate
from shared.contexts.check import checked
from shared.contexts.rules.fields import Fields, held, newest_of_each
from shared.contexts.rules.slices import Route
from shared.contexts.sql import contexts, tasks
from shared.contexts.sql.contexts import Placed
from shared.contexts.sql.tasks import Status, Task
from shared.conversations.sql import conversations
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConversationGone, NotFound, TaskEndedAlready
from shared.kernel.events import ContextSaved, TaskEnded, TaskStarted
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject


def open_task(
    tx: Transaction,
    subject: Subject,
    route: Route,
    fields: Mapping[str, str | None],
    *,
    conversation_id: UUID | None,
    kept: timedelta,
    terms: Terms,
    actor: str,
) -> tuple[Task, datetime]:
    """Begin a task with what the person said for it; return it, and when that is erased at the latest.

    Raises:
        ConsentRequired: the person never consented, or withdrew `create_task`.
        NotFound: the conversation is not this person's.
        ConversationGone: it was forgotten.
        ContextTooLarge: the fields have more than 8 KiB.
    """
    subject = subjects.entered(tx, subject)
    require(tx, subject.id, "create_task", terms=terms)
    at_seq = next_seq(tx, subject, conversation_id)
    now = tx.now()
    task = Task(
        id=new_id(), route=route, status="running", conversation_id=conversation_id, created_at=now, ended_at=None
    )
    tasks.add(tx, subject, task)
    started = TaskStarted(route=route, conversation_id=conversation_id)
    event_log.append(tx, subject, task.id, [started], actor=actor)
    _keep(tx, subject, task, held("task", fields), at_seq, kept=kept, actor=actor)
    return task, now + kept


def add_to_task(
    tx: Transaction,
    subject: Subject,
    task: Task,
    fields: Mapping[str, str | None],
    *,
    kept: timedelta,
    terms: Terms,
    actor: str,
) -> None:
    """Keep what the person said for a task after it began; call this under the fence. What is known is not kept twice.

    Raises:
        ConsentRequired: the person withdrew `create_task`.
        ContextTooLarge: the fields have more than 8 KiB.
        TaskEndedAlready: the task ended.
    """
    if not held("task", fields):
        return
    require(tx, subject.id, "create_task", terms=terms)
    if task.ended_at is not None:
        raise TaskEndedAlready
    known = newest_of_each([one.fields for one in contexts.of_scope(tx, subject.id, "task", task_id=task.id)])
    new = {name: value for name, value in held("task", fields).items() if known.get(name) != value}
    at_seq = None
    if task.conversation_id is not None:
        intake = conversations.for_intake(tx, subject, task.conversation_id)
        if intake is None or intake.gone:  # of a forgotten conversation nothing is kept
            return
        at_seq = intake.next_seq
    if new:
        _keep(tx, subject, task, new, at_seq, kept=kept, actor=actor)


def _keep(
    tx: Transaction, subject: Subject, task: Task, fields: Fields, at_seq: int | None, *, kept: timedelta, actor: str
) -> None:
    context_id = new_id()
    contexts.add(
        tx,
        subject,
        context_id,
        "task",
        checked(fields),
        written_by="task",
        placed=Placed(task_id=task.id, conversation_id=task.conversation_id, at_seq=at_seq),
        expires_at=tx.now() + kept,
    )
    event_log.append(tx, subject, context_id, [ContextSaved(scope="task", written_by="task")], actor=actor)


def end_task(
    tx: Transaction,
    subject: Subject,
    task_id: UUID,
    status: Status,
    *,
    object_ref: str | None,
    kept: timedelta,
    terms: Terms,
    actor: str,
) -> datetime:
    """End a task; return when what was said for it is erased. Ending it again changes nothing.

    Args:
        object_ref: what it made; a candidate for training if the person agreed to that.

    Raises:
        NotFound: the task is not this person's.
    """
    subject = subjects.entered(tx, subject)
    task = tasks.read(tx, subject.id, task_id)
    if task is None:
        raise NotFound("task")
    if task.ended_at is not None:
        return task.ended_at + kept
    now = tx.now()
    tasks.end(tx, task_id, status, now)
    contexts.end_at(tx, task_id, now + kept)
    event_log.append(tx, subject, task_id, [TaskEnded(status=status)], actor=actor)
    consent = consents.current(tx, subject.id)
    if object_ref is not None and consent is not None and allows(tx, subject.id, "training", terms=terms):
        intake = conversations.for_intake(tx, subject, task.conversation_id) if task.conversation_id else None
        placed = intake is not None and not intake.gone
        if placed or task.conversation_id is None:  # of a forgotten conversation nothing is kept
            make_candidate(
                tx,
                subject,
                object_ref,
                consent_id=consent.id,
                conversation_id=task.conversation_id,
                at_seq=intake.next_seq if intake is not None else None,
                actor=actor,
            )
    return now + kept


def next_seq(tx: Transaction, subject: Subject, conversation_id: UUID | None) -> int | None:
    """Return the number of a conversation's next message, which places what is said now.

    Raises:
        NotFound: the conversation is not this person's.
        ConversationGone: it was forgotten.
    """
    if conversation_id is None:
        return None
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None:
        raise NotFound("conversation")
    if intake.gone:
        raise ConversationGone
    return intake.next_seq
