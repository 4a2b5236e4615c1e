"""SQL for memories that are ready for level L2 (LT-04)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Interval, bindparam, func, select, text

from shared.kernel.database import Transaction
from shared.memories.sql.tables import visible_memories
from shared.outbox.job_kinds import LEARN_MEMORY

QUIET_SECONDS: Final = 3_600
"""Age at which memories are consolidated in the next batch, even if the session has not ended."""

_READY: Final = (
    text(
        """
        select m.id, m.conversation_id, m.created_at from visible_memories m
        where m.subject_id = :subject and m.level = 'L1' and not m.archived
          and (m.content_type <> 'episodic' or m.origin = 'stated' or m.last_supported_at is not null)
          and m.id not in (select superseded_memories(:subject))
          and not exists (select from visible_memories older where older.id = m.contradicts)
          and not exists (select from visible_memories newer where newer.contradicts = m.id)
        """
    )
    .columns(visible_memories.c.id, visible_memories.c.conversation_id, visible_memories.c.created_at)
    .subquery("ready")
)
"""Memories that nothing superseded, without an open contradiction. An episodic one stays in L1 unless the person asked
to remember it or repeated it.
"""
_OLDEST: Final = select(_READY.c.id).order_by(_READY.c.id).limit(bindparam("limit"))
_OF_CONVERSATION: Final = _OLDEST.where(_READY.c.conversation_id == bindparam("conversation"))
_QUIET: Final = _OLDEST.where(_READY.c.created_at < func.now() - bindparam("quiet", type_=Interval))


def is_being_learned(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> bool:
    """Return whether turns of a conversation still wait to be learned from."""
    found: bool = tx.value(
        """
        select exists (select from outbox where subject_id = :subject and kind = :kind and state <> 'failed'
                       and last_error is distinct from 'switched_off'
                       and payload->>'conversation_id' = :conversation)
        """,
        subject=subject_id,
        kind=LEARN_MEMORY,
        conversation=str(conversation_id),
    )
    return found


def of_conversation(tx: Transaction, subject_id: UUID, conversation_id: UUID, *, limit: int) -> list[UUID]:
    """Return the memories of a conversation that are ready."""
    rows = tx.rows(_OF_CONVERSATION, subject=subject_id, conversation=conversation_id, limit=limit)
    return [row["id"] for row in rows]


def quiet(tx: Transaction, subject_id: UUID, *, limit: int) -> list[UUID]:
    """Return a person's ready memories that are older than `QUIET_SECONDS`, oldest first."""
    rows = tx.rows(_QUIET, subject=subject_id, quiet=timedelta(seconds=QUIET_SECONDS), limit=limit)
    return [row["id"] for row in rows]


def people(tx: Transaction, *, after: UUID | None, limit: int) -> list[UUID]:
    """Return ids of people who may have ready memories, in order, after `after`."""
    rows = tx.rows(
        """
        select distinct m.subject_id from memories m
        join subjects s on s.id = m.subject_id and s.generation = m.generation
        where m.level = 'L1' and not m.archived and m.contradicts is null
          and (m.content_type <> 'episodic' or m.origin = 'stated' or m.last_supported_at is not null)
          and m.created_at < now() - make_interval(secs => :quiet)
          and not exists (select from memories newer where newer.supersedes = m.id or newer.contradicts = m.id)
          and (cast(:after as uuid) is null or m.subject_id > :after)
        order by m.subject_id limit :limit
        """,
        quiet=QUIET_SECONDS,
        after=after,
        limit=limit,
    )
    return [row["subject_id"] for row in rows]
