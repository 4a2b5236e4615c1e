"""Give a conversation another title."""

from __future__ import annotations

from uuid import UUID

from shared.commands.refusals import ConversationGone, NotFound
from shared.domain.events import ConversationRenamed
from shared.persistence import conversations, events, subjects
from shared.persistence.database import Transaction
from shared.persistence.locks import enter_fence
from shared.persistence.subjects import Subject


def rename_conversation(
    tx: Transaction, subject: Subject, conversation_id: UUID, title: str | None, *, actor: str
) -> None:
    """Let a conversation be called something else, or nothing.

    Raises:
        NotFound: the conversation is not this person's.
        ConversationGone: it was forgotten.
    """
    enter_fence(tx, subject.id)
    subject = subjects.again(tx, subject)
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None:
        raise NotFound("conversation")
    if intake.gone:
        raise ConversationGone
    if conversations.set_title(tx, conversation_id, title):
        events.append(tx, subject, conversation_id, [ConversationRenamed()], actor=actor)
