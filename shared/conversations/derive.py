"""Queue the jobs that derive items from the turns of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.conversations.sql import turns
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import INDEX_EPISODE, LEARN_MEMORY, MEMORY_CONSOLIDATE
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Work


def queue_derivations(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    turn: int,
    *,
    kinds: Sequence[str] = (INDEX_EPISODE, LEARN_MEMORY),
    again: bool = False,
    learn_after: float = 0.0,
) -> None:
    """Queue the jobs for one turn. The payload names its messages: if one is gone when the job runs, it does nothing.

    Args:
        learn_after: seconds until the turn is learned from; its episode is not delayed.
        again: derive again after a forget. Such a job waits while its switch is off, where a new one is dropped, so the
            two are never merged.
    """
    if turns.lost_a_member(tx, conversation_id, turn):
        return
    message_ids = turns.completed_message_ids(tx, conversation_id, turn)
    payload = {
        "conversation_id": str(conversation_id),
        "turn": turn,
        "message_ids": [str(i) for i in message_ids],
        "again": again,
    }
    work = [
        outbox.Work(
            kind=kind,
            payload=payload,
            dedupe_key=f"{conversation_id}:{turn}:{again}",
            delay_seconds=learn_after if kind == LEARN_MEMORY else 0.0,
        )
        for kind in kinds
    ]
    outbox.add(tx, subject.id, work)


def queue_consolidation(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> None:
    """Queue the consolidation of the memories learned from a conversation."""
    work = Work(
        kind=MEMORY_CONSOLIDATE,
        payload={"conversation_id": str(conversation_id)},
        dedupe_key=str(conversation_id),
    )
    outbox.add(tx, subject_id, [work])
