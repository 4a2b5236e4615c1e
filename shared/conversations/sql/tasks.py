"""The current task of a session: the one that a message named last (LT-06)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel.database import Row, Transaction
from shared.language.rules.tasks import named_task

LOOKED_AT: Final = 5
"""Number of newest task-naming messages to check, because a rewritten one may no longer name a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTask:
    """A task and the visible message that names it; forgetting that message forgets the task."""

    text: str
    message_id: UUID


def at_hand(tx: Transaction, conversation_id: UUID) -> NamedTask | None:
    """Return the task of a conversation's current session."""
    return _named(
        tx.rows(
            """
            select m.id, m.role, m.text, m.task_hint from visible_messages m
            join visible_conversations c on c.id = m.conversation_id and c.session = m.session
            where m.conversation_id = :conversation and m.names_task and m.completed order by m.seq desc limit :limit
            """,
            conversation=conversation_id,
            limit=LOOKED_AT,
        )
    )


def of_turn(tx: Transaction, conversation_id: UUID, *, session: int, through: int) -> NamedTask | None:
    """Return the task named last in a session, up to a seq, by a message that may be learned from.

    Messages excluded from learning are ignored, because the task's words would become part of a memory.
    """
    return _named(
        tx.rows(
            """
            select m.id, m.role, m.text, m.task_hint from visible_messages m
            where m.conversation_id = :conversation and m.session = :session and m.seq <= :through and m.names_task
              and m.completed and m.learn
              and not exists (select from unlearnable_spans u where u.message_id = m.id)
            order by m.seq desc limit :limit
            """,
            conversation=conversation_id,
            session=session,
            through=through,
            limit=LOOKED_AT,
        )
    )


def _named(rows: Sequence[Row]) -> NamedTask | None:
    for row in rows:
        text = row["task_hint"] or (named_task(row["text"]) if row["role"] == "user" else None)
        if text:
            return NamedTask(text=text, message_id=row["id"])
    return None
