"""Threads: save one, refresh one, forget its preferences (FC-03, FC-16). A thread is a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID, uuid4

from shared.consent.allows import allows, require
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents
from shared.contexts.candidates import make_candidate
from shared.contexts.check import checked
from shared.contexts.open_task import add_to_task, next_seq
from shared.contexts.rules.fields import WrittenBy, held
from shared.contexts.sql import contexts, tasks
from shared.contexts.sql.contexts import Placed
from shared.conversations.open import open_conversation
from shared.conversations.sql import conversations
from shared.drift.observe import Observed, observe_thesis
from shared.drift.rules import DriftPolicy, ObjectType
from shared.drift.sql import notes
from shared.drift.sql.notes import Note, NoteKind
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConsentRequired, ConsentVersionConflict, NotFound
from shared.kernel.events import ContextBlocked, ContextSaved, ContextsBlocked
from shared.kernel.ids import OperationId
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import CONTEXT_BLOCK, RECORD_ACCEPTED
from shared.outbox.sql import operations
from shared.outbox.sql.targets import Target

TURNED_AWAY_WHEN_REVOKED = ("save_to_thread",)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewThread:
    """What a thread begins with.

    Args:
        object_ref: the object it is about, as the client names it.
        fields: what the person said about it; stored only with `save_user_context`.
        acknowledged: the consent the client showed.
    """

    object_ref: str
    object_type: ObjectType
    main_thesis: str
    title: str | None
    fields: Mapping[str, str | None]
    save_user_context: bool
    acknowledged: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionUpdate:
    """A watched question that was resolved, or came up again."""

    id: str
    status: Literal["resolved", "reopened"]


def save_as_thread(
    tx: Transaction,
    subject: Subject,
    new: NewThread,
    *,
    conversation_id: UUID | None,
    terms: Terms,
    actor: str,
) -> UUID:
    """Make a conversation a thread, or open one; return its id.

    What the person said is kept with the thread only if they want that and consented to it.

    Raises:
        ConsentRequired: it is to be kept, and `save_to_thread` is missing; or everything was withdrawn, or never
            given where that is required.
        ConsentVersionConflict: the consent that was shown is not the one that holds.
        NotFound: the conversation or the consent is not this person's.
        ConversationGone: the conversation was forgotten.
        ContextTooLarge: the fields have more than 8 KiB.
    """
    subject = subjects.entered(tx, subject)
    consent = consents.current(tx, subject.id)
    if consent.revoked_at is not None if consent is not None else terms.consent.required:
        raise ConsentRequired(TURNED_AWAY_WHEN_REVOKED)  # no new thread until the person consents again
    if new.save_user_context:
        require(tx, subject.id, "save_to_thread", terms=terms)
        assert consent is not None  # noqa: S101 # the scope holds
        acknowledged = consents.read(tx, subject.id, new.acknowledged) if new.acknowledged else None
        if acknowledged is None:
            raise NotFound("consent")
        if acknowledged.grant_id != consent.grant_id:
            raise ConsentVersionConflict(consent.id)
    if conversation_id is None:
        conversation_id = open_conversation(
            tx, subject.user_id or "", project_id=None, title=new.title, remember=True, actor=actor
        )
    at_seq = next_seq(tx, subject, conversation_id)
    assert at_seq is not None  # noqa: S101 # there is a conversation
    _note(
        tx, subject, conversation_id, at_seq, "thesis", new.main_thesis,
        object_type=new.object_type, object_ref=new.object_ref,
    )  # fmt: skip
    if new.save_user_context:
        fields = held("thread", new.fields)
        _save(tx, subject, fields, conversation_id, at_seq, written_by="save_as_thread", actor=actor)
    _offer(tx, subject, new.object_ref, conversation_id, at_seq, terms=terms, actor=actor)
    return conversation_id


def refresh_thread(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    *,
    task_id: UUID | None,
    supplied: Mapping[str, str | None],
    for_task: Mapping[str, str | None],
    task_kept: timedelta,
    current_thesis: str,
    changed_inferences: int,
    questions: Sequence[QuestionUpdate],
    drift_policy: DriftPolicy,
    terms: Terms,
    actor: str,
) -> list[Observed]:
    """Store what a refresh found; what the person said meanwhile is added, and nothing earlier is changed.

    Args:
        for_task: what they said that is kept with the task only, for `task_kept`.

    Raises:
        ConsentRequired: the person said something to keep, and `save_to_thread` is missing.
        NotFound: the thread or the task is not this person's.
        TaskEndedAlready: the person said something for a task that ended.
        ConversationGone: the thread was forgotten.
        ContextTooLarge: the fields have more than 8 KiB.
    """
    subject = subjects.entered(tx, subject)
    at_seq = next_seq(tx, subject, conversation_id)
    assert at_seq is not None  # noqa: S101 # there is a conversation
    before = notes.of_thread(tx, conversation_id, ["thesis"])
    task = tasks.read(tx, subject.id, task_id) if task_id is not None else None
    if not before or (task_id is not None and task is None):
        raise NotFound("thread")
    if task is not None:
        add_to_task(tx, subject, task, for_task, kept=task_kept, terms=terms, actor=actor)
    if fields := held("thread", supplied):
        require(tx, subject.id, "save_to_thread", terms=terms)
        _save(tx, subject, fields, conversation_id, at_seq, written_by="refresh", actor=actor)
    object_type, object_ref = before[-1].object_type, before[-1].object_ref
    thesis = _note(
        tx, subject, conversation_id, at_seq, "thesis", current_thesis, object_type=object_type, object_ref=object_ref
    )
    for question in questions:
        _note(tx, subject, conversation_id, at_seq, question.status, question.id)
    observed = observe_thesis(tx, subject, thesis, changed_inferences, policy=drift_policy, terms=terms)
    _offer(tx, subject, f"thread:{conversation_id}", conversation_id, at_seq, terms=terms, actor=actor)
    return observed


def forget_thread_preferences(tx: Transaction, subject: Subject, conversation_id: UUID, *, actor: str) -> int:
    """Block what a thread was told about the person: kept, shown, never loaded again (FC-15); return how many.

    Raises:
        NotFound: the thread is not this person's.
    """
    subject = subjects.entered(tx, subject)
    if not conversations.is_visible(tx, subject.id, conversation_id):
        raise NotFound("thread")
    blocked = contexts.block(tx, subject, conversation_id=conversation_id)
    for id_ in blocked:
        event_log.append(tx, subject, id_, [ContextBlocked()], actor=actor)
    if blocked:  # recorded in the ledger, so that a restored backup does not bring them back
        _record_block(tx, subject, conversation_id, len(blocked), actor=actor)
    return len(blocked)


def _record_block(tx: Transaction, subject: Subject, conversation_id: UUID, count: int, *, actor: str) -> None:
    operation_id = OperationId(new_id())
    target = Target(
        operation_id=operation_id,
        subject_id=subject.id,
        scope="block",
        generation=subject.generation,
        namespace=subject.namespace,
        conversation_id=conversation_id,
    )
    operations.accept(
        tx,
        subject,
        target,
        ContextsBlocked(contexts=count),
        actor=actor,
        hidden={},
        type_=CONTEXT_BLOCK,
        ready={"ledger": RECORD_ACCEPTED},
        waiting=[],
        receipt_id=uuid4(),
    )


def _note(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    at_seq: int,
    kind: NoteKind,
    text: str,
    *,
    object_type: ObjectType | None = None,
    object_ref: str | None = None,
) -> Note:
    note = Note(
        id=new_id(),
        conversation_id=conversation_id,
        at_seq=at_seq,
        kind=kind,
        object_type=object_type,
        object_ref=object_ref,
        text=text,
        noted_at=tx.now(),
    )
    notes.add(tx, subject, note)
    return note


def _save(
    tx: Transaction,
    subject: Subject,
    fields: Mapping[str, str],
    conversation_id: UUID,
    at_seq: int,
    *,
    written_by: WrittenBy,
    actor: str,
) -> None:
    consent = consents.current(tx, subject.id)
    context_id = new_id()
    contexts.add(
        tx,
        subject,
        context_id,
        "thread",
        checked(fields),
        written_by=written_by,
        placed=Placed(conversation_id=conversation_id, at_seq=at_seq),
        consent_id=consent.id if consent else None,
    )
    event_log.append(tx, subject, context_id, [ContextSaved(scope="thread", written_by=written_by)], actor=actor)


def _offer(
    tx: Transaction, subject: Subject, ref: str, conversation_id: UUID, at_seq: int, *, terms: Terms, actor: str
) -> None:
    consent = consents.current(tx, subject.id)
    if consent is not None and allows(tx, subject.id, "training", terms=terms):
        make_candidate(
            tx, subject, ref, consent_id=consent.id, conversation_id=conversation_id, at_seq=at_seq, actor=actor
        )
