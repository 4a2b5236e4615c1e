"""All that a person can see of what was said and remembered, in bounded pages: for whoever must look at everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.persistence.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedStatement:
    """A visible memory; `said_at` is when its person said so."""

    id: UUID
    text: str
    task_hint: str | None
    content_type: str
    version: int
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidStatement:
    """A visible message."""

    id: UUID
    conversation_id: UUID
    seq: int
    turn: int
    role: str
    completed: bool
    text: str
    name: str | None
    task_hint: str | None
    spoken_at: datetime


def remembered(
    tx: Transaction, subject_id: UUID, *, project_id: str | None, before: UUID | None, limit: int
) -> list[RememberedStatement]:
    """Return visible memories, newest first, archived, paused and superseded ones too.

    Args:
        project_id: only those of this project; None for all.
        before: the last id of the page before.
    """
    rows = tx.rows(
        """
        select id, text, task_hint, content_type, version, coalesce(spoken_at, created_at) as said_at
        from visible_memories
        where subject_id = :subject and (cast(:project as text) is null or project_id = :project)
          and (cast(:before as uuid) is null or id < :before)
        order by id desc limit :limit
        """,
        subject=subject_id,
        project=project_id,
        before=before,
        limit=limit,
    )
    return [RememberedStatement(**row) for row in rows]


def conversations(
    tx: Transaction, subject_id: UUID, *, project_id: str | None, before: UUID | None, limit: int
) -> list[UUID]:
    """Return visible conversations, newest first; the arguments are as of `remembered`."""
    rows = tx.rows(
        """
        select id from visible_conversations
        where subject_id = :subject and (cast(:project as text) is null or project_id = :project)
          and (cast(:before as uuid) is null or id < :before)
        order by id desc limit :limit
        """,
        subject=subject_id,
        project=project_id,
        before=before,
        limit=limit,
    )
    return [row["id"] for row in rows]


def said(tx: Transaction, conversation_id: UUID, *, after: int, limit: int) -> list[SaidStatement]:
    """Return the visible messages of a conversation past a seq, in order; instructions of the system are none."""
    rows = tx.rows(
        """
        select id, conversation_id, seq, turn, role, completed, text, name, task_hint, spoken_at
        from visible_messages
        where conversation_id = :conversation and seq > :after and role <> 'system'
        order by seq limit :limit
        """,
        conversation=conversation_id,
        after=after,
        limit=limit,
    )
    return [SaidStatement(**row) for row in rows]
