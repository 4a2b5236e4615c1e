"""Exclude a conversation from memory, or include it again (X-08)."""

from __future__ import annotations

from uuid import UUID

from shared.conversations.record import enter_conversation
from shared.conversations.sql import conversations
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import ConversationExcluded, ConversationIncluded, Event
from shared.kernel.subjects import Subject


def change_remembering(tx: Transaction, subject: Subject, conversation_id: UUID, *, remember: bool, actor: str) -> None:
    """Exclude a conversation from memory from now on, or include it again; items already derived from it remain.

    Messages recorded while it is excluded are marked permanently: including it again derives nothing from them.

    Raises:
        NotFound: the conversation does not belong to this person.
        ConversationGone: the conversation was forgotten.
    """
    subject, intake = enter_conversation(tx, subject, conversation_id)
    if intake.remember == remember:
        return  # nothing to change
    conversations.set_remember(tx, conversation_id, remember=remember)
    event: Event = ConversationIncluded() if remember else ConversationExcluded()
    event_log.append(tx, subject, conversation_id, [event], actor=actor)
