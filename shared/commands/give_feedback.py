"""Keep what a person thought of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.commands.refusals import ConversationGone, NotFound
from shared.domain.events import FeedbackGiven
from shared.domain.ids import FeedbackId
from shared.persistence import conversations, events, feedback, lineage, messages, subjects
from shared.persistence.database import Transaction
from shared.persistence.ids import new_id
from shared.persistence.lineage import Derivation
from shared.persistence.locks import enter_fence


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Feedback in either vocabulary: an action with its evidence, or a rating with a comment."""

    conversation_id: UUID | None = None
    message_id: UUID | None = None
    action: str | None = None
    evidence_ref: str | None = None
    related_object_ref: str | None = None
    rating: int | None = None
    comment: str | None = None


def give_feedback(tx: Transaction, user_id: str, given: Feedback, *, actor: str) -> FeedbackId:
    """Store feedback; it goes when the message or conversation it is about goes.

    Raises:
        NotFound: the message or conversation is not this person's.
        ConversationGone: the conversation was forgotten.
    """
    subject = subjects.find_or_create(tx, user_id)
    enter_fence(tx, subject.id)
    subject = subjects.again(tx, subject)
    conversation_id = given.conversation_id
    if given.message_id is not None:
        message = messages.read(tx, subject.id, given.message_id)
        if message is None or (conversation_id is not None and conversation_id != message.conversation_id):
            raise NotFound("message")
        conversation_id = message.conversation_id
    at_seq = None
    if conversation_id is not None:
        intake = conversations.for_intake(tx, subject, conversation_id)
        if intake is None:
            raise NotFound("conversation")
        if intake.gone:
            raise ConversationGone
        at_seq = intake.next_seq
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
        evidence_ref=given.evidence_ref,
        related_object_ref=given.related_object_ref,
        comment=given.comment,
    )
    if given.message_id is not None:
        edge = Derivation(
            derived_kind="feedback", derived_id=feedback_id, source_kind="message", source_id=given.message_id
        )
        lineage.add(tx, subject, [edge])
    event = FeedbackGiven(
        feedback_id=feedback_id, message_id=given.message_id, action=given.action, rating=given.rating
    )
    events.append(tx, subject, conversation_id or feedback_id, [event], actor=actor)
    return feedback_id
