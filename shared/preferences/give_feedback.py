"""Store a person's feedback on an answer and learn preferences from it (MC-01, CN-06)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.conversations.sql import conversations, messages
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConversationGone, NotFound
from shared.kernel.events import FeedbackGiven
from shared.kernel.ids import FeedbackId
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.memories.lock_learning import lock_learning
from shared.memories.sql import memories
from shared.preferences.learn import Learned, learn_preference, may_learn
from shared.preferences.rules import Action, RatingWord, Reason
from shared.preferences.sql import feedback
from shared.preferences.sql.signals import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Feedback in either form: an action with its evidence, or a rating with a comment.

    Args:
        learnable: the part of the evidence that may be remembered.
        reason: the reason, if picked from the list.
        reason_text: the reason in free text; not stored in privacy mode.
        learnable_reason: the part of `reason_text` that may be remembered.
    """

    conversation_id: UUID | None = None
    message_id: UUID | None = None
    action: Action | None = None
    evidence_ref: str | None = None
    learnable: str | None = None
    reason: Reason | None = None
    reason_text: str | None = None
    learnable_reason: str | None = None
    related_object_ref: str | None = None
    rating: int | RatingWord | None = None
    comment: str | None = None

    @property
    def is_worded(self) -> bool:
        """Whether it says more than a rating or an action."""
        return bool(self.reason or self.reason_text or self.comment)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackKept:
    """Stored feedback, the conversation it is about, and what its action taught."""

    feedback_id: FeedbackId
    conversation_id: UUID | None
    learned: Learned | None


def give_feedback(tx: Transaction, user_id: str, given: Feedback, *, terms: Terms, actor: str) -> FeedbackKept:
    """Store feedback; an action also teaches a preference.

    It is erased with what it is about: a message, a conversation, a memory. In privacy mode the evidence is read but
    not stored; comments and free-text reasons are neither read nor stored.

    Raises:
        NotFound: the message or conversation does not belong to this person.
        ConversationGone: the conversation was forgotten.
    """
    subject = _entered(tx, subjects.find_or_create(tx, user_id), given)
    return _give(tx, subject, given, effective(tx, subject.id, terms=terms), actor=actor)


def teach_preference(tx: Transaction, user_id: str, given: Feedback, *, terms: Terms, actor: str) -> Learned:
    """Store feedback in order to learn from it; nothing is stored while preference learning is off.

    Args:
        given: feedback with an action.

    Raises:
        NotFound, ConversationGone: as `give_feedback`.
    """
    subject = _entered(tx, subjects.find_or_create(tx, user_id), given)
    allowed = effective(tx, subject.id, terms=terms)
    if not may_learn(allowed):
        return Learned(outcome="off", threshold=allowed.preference_learning_threshold)
    learned = _give(tx, subject, given, allowed, actor=actor).learned
    assert learned is not None  # noqa: S101 # it has an action
    return learned


def _entered(tx: Transaction, subject: Subject, given: Feedback) -> Subject:
    if given.action is not None:
        return lock_learning(tx, subject)
    enter_fence(tx, subject.id)
    return subjects.again(tx, subject)


def _memory_named(tx: Transaction, subject: Subject, reference: str | None) -> UUID | None:
    """Return the memory of this person that a reference is the id of; what somebody says of it may repeat it."""
    try:
        memory_id = UUID(reference or "")
    except ValueError:
        return None
    return memory_id if memories.read(tx, subject.id, memory_id) is not None else None


def _give(tx: Transaction, subject: Subject, given: Feedback, allowed: Switches, *, actor: str) -> FeedbackKept:
    conversation_id = given.conversation_id
    if given.message_id is not None:
        message = messages.read(tx, subject.id, given.message_id)
        if message is None or (conversation_id is not None and conversation_id != message.conversation_id):
            raise NotFound("message")
        conversation_id = message.conversation_id
    at_seq, remember = None, True
    if conversation_id is not None:
        intake = conversations.for_intake(tx, subject, conversation_id)
        if intake is None:
            raise NotFound("conversation")
        if intake.gone:
            raise ConversationGone
        at_seq, remember = intake.next_seq, intake.remember
    private = allowed.privacy_mode_enabled
    feedback_id = FeedbackId(new_id())
    feedback.add(
        tx,
        subject,
        feedback_id,
        conversation_id=conversation_id,
        message_id=given.message_id,
        at_seq=at_seq,
        action=given.action,
        rating=given.rating,
        evidence_ref=None if private else given.evidence_ref,
        related_object_ref=given.related_object_ref,
        comment=None if private else given.comment,
        reason=given.reason if private else given.reason or given.reason_text,
    )
    about = {"message": given.message_id, "memory": _memory_named(tx, subject, given.related_object_ref)}
    lineage.add(
        tx,
        subject,
        [
            Derivation(derived_kind="feedback", derived_id=feedback_id, source_kind=kind, source_id=source)
            for kind, source in about.items()
            if source is not None
        ],
    )
    event = FeedbackGiven(
        feedback_id=feedback_id,
        message_id=given.message_id,
        action=given.action,
        rating=given.rating if isinstance(given.rating, int) else None,
        rating_word=given.rating if isinstance(given.rating, str) else None,
    )
    event_log.append(tx, subject, conversation_id or feedback_id, [event], actor=actor)
    if given.action is None:
        return FeedbackKept(feedback_id=feedback_id, conversation_id=conversation_id, learned=None)
    learned = learn_preference(
        tx,
        subject,
        Source(feedback_id=feedback_id, conversation_id=conversation_id, at_seq=at_seq),
        action=given.action,
        evidence=given.learnable or (None if private else given.learnable_reason),
        reason=given.reason,
        allowed=allowed.for_what_is_said(remember=remember),
    )
    return FeedbackKept(feedback_id=feedback_id, conversation_id=conversation_id, learned=learned)
