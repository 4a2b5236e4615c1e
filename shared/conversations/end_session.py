"""End a session: what is left of it is derived now."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from shared.conversations.derive import queue_consolidation, queue_derivations
from shared.conversations.record import enter_conversation
from shared.conversations.rules.turns import TurnState
from shared.conversations.sql import conversations, turns, unanswered
from shared.conversations.sql.conversations import Intake
from shared.conversations.summarise import queue_roll
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConversationGone, NotFound
from shared.kernel.events import SessionEnded
from shared.kernel.subjects import Subject
from shared.outbox.sql import scheduling

ACTOR: Final = "system:scheduler"


def end_idle_session(tx: Transaction, subject_id: UUID, conversation_id: UUID, idle: timedelta) -> bool:
    """End the current session of a conversation, if its last message is still unanswered; return whether it ended.

    Raises:
        SubjectBusy: the fence could not be taken in time.
    """
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return False
    try:
        subject, intake = enter_conversation(tx, subject, conversation_id)
    except (NotFound, ConversationGone):
        return False
    # The conversation is locked: a writer that was recording a message has committed it.
    if not unanswered.is_still(tx, subject, conversation_id, idle=idle):
        return False
    _end(tx, subject, conversation_id, intake, actor=ACTOR)
    return True


def end_session(tx: Transaction, subject: Subject, conversation_id: UUID, *, actor: str) -> int:
    """End the current session of a conversation and return its number.

    Unfinished turns become episodes. Waiting turns are learned from now, the summary is extended to the end of the
    session, and learned memories are consolidated.

    Raises:
        NotFound, ConversationGone: as `record_messages`.
    """
    subject, intake = enter_conversation(tx, subject, conversation_id)
    return _end(tx, subject, conversation_id, intake, actor=actor)


def _end(tx: Transaction, subject: Subject, conversation_id: UUID, intake: Intake, *, actor: str) -> int:
    for turn in turns.unfinished(tx, conversation_id, intake.session):
        queue_derivations(tx, subject, conversation_id, turn)
    scheduling.let_turns_wait(tx, subject.id, conversation_id, seconds=0.0)
    event_log.append(tx, subject, conversation_id, [SessionEnded(session=intake.session)], actor=actor)
    conversations.advance(
        tx,
        conversation_id,
        next_seq=intake.next_seq,
        session=intake.session + 1,
        turn=TurnState(turn=intake.turn.turn),
    )
    queue_roll(tx, subject.id, conversation_id)
    queue_consolidation(tx, subject.id, conversation_id)
    return intake.session
