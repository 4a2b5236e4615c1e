"""Rename a conversation."""

from __future__ import annotations

from uuid import UUID

from shared.conversations.record import enter_conversation
from shared.conversations.sql import conversations
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import ConversationRenamed
from shared.kernel.subjects import Subject


def rename_conversation(
    tx: Transaction, subject: Subject, conversation_id: UUID, title: str | None, *, actor: str
) -> None:
    """Change the title of a conversation; None removes it.

    Raises:
        NotFound: the conversation does not belong to this person.
        ConversationGone: the conversation was forgotten.
    """
    subject, _ = enter_conversation(tx, subject, conversation_id)
    if conversations.set_title(tx, conversation_id, title):
        event_log.append(tx, subject, conversation_id, [ConversationRenamed()], actor=actor)
