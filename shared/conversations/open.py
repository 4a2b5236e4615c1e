"""Create a conversation."""

from __future__ import annotations

from shared.conversations.sql import conversations
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ExternalIdTaken
from shared.kernel.events import ConversationCreated, ConversationExcluded, Event
from shared.kernel.ids import ConversationId
from shared.kernel.locks import one_at_a_time
from shared.kernel.new_ids import new_id


def open_conversation(
    tx: Transaction,
    user_id: str,
    *,
    project_id: str | None,
    title: str | None,
    actor: str,
    external_id: str | None = None,
    remember: bool = True,
) -> ConversationId:
    """Create a conversation for a person and return its id.

    Args:
        external_id: what another program calls it.
        remember: without it nothing is derived from what is said in it (X-08).

    Raises:
        ExternalIdTaken: another conversation of this person has the external id.
    """
    subject = subjects.find_or_create(tx, user_id)
    if external_id is not None:
        one_at_a_time(tx, "conversation", str(subject.id))
    subject = subjects.entered(tx, subject)
    conversation_id = ConversationId(new_id())
    if external_id is not None and conversations.is_taken(tx, subject.id, external_id):
        raise ExternalIdTaken
    conversations.add(
        tx, subject, conversation_id, project_id=project_id, title=title, external_id=external_id, remember=remember
    )
    history: list[Event] = [ConversationCreated(project_id=project_id)]
    if not remember:
        history.append(ConversationExcluded())
    event_log.append(tx, subject, conversation_id, history, actor=actor)
    return conversation_id
