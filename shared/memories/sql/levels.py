"""Which memories are ready for the long-term level (LT-04)."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import LEARN_MEMORY

QUIET_SECONDS: Final = 3_600
"""What was learned so long ago is consolidated with the next batch, though nobody ended the session."""

_LASTS: Final = "(m.content_type <> 'episodic' or m.origin = 'stated' or m.last_supported_at is not null)"
"""An event stays with its session, unless its person asked to have it remembered or told it again."""
_READY: Final = f"""m.level = 'L1' and not m.archived and {_LASTS}
  and m.id not in (select superseded_memories(:subject))
  and not exists (select from visible_memories older where older.id = m.contradicts)
  and not exists (select from visible_memories newer where newer.contradicts = m.id)"""  # noqa: S608 # a constant
"""Besides, nothing replaced it, and no contradiction waits for its person."""


def is_being_learned(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> bool:
    """Return whether turns of a conversation are still to be learned from."""
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
    """Return what a conversation taught and is ready."""
    rows = tx.rows(
        f"""
        select m.id from visible_memories m
        where m.subject_id = :subject and m.conversation_id = :conversation and {_READY} order by m.id limit :limit
        """,  # noqa: S608 # a constant of this module
        subject=subject_id,
        conversation=conversation_id,
        limit=limit,
    )
    return [row["id"] for row in rows]


def quiet(tx: Transaction, subject_id: UUID, *, limit: int) -> list[UUID]:
    """Return what was learned from a person `QUIET_SECONDS` ago or earlier and is ready, oldest first."""
    rows = tx.rows(
        f"""
        select m.id from visible_memories m
        where m.subject_id = :subject and m.created_at < now() - make_interval(secs => :quiet) and {_READY}
        order by m.id limit :limit
        """,  # noqa: S608 # a constant of this module
        subject=subject_id,
        quiet=QUIET_SECONDS,
        limit=limit,
    )
    return [row["id"] for row in rows]


def people(tx: Transaction, *, after: UUID | None, limit: int) -> list[UUID]:
    """Return people who may have something that is ready, by id, after one of them."""
    rows = tx.rows(
        f"""
        select distinct m.subject_id from memories m
        join subjects s on s.id = m.subject_id and s.generation = m.generation
        where m.level = 'L1' and not m.archived and m.contradicts is null and {_LASTS}
          and m.created_at < now() - make_interval(secs => :quiet)
          and not exists (select from memories newer where newer.supersedes = m.id or newer.contradicts = m.id)
          and (cast(:after as uuid) is null or m.subject_id > :after)
        order by m.subject_id limit :limit
        """,  # noqa: S608 # a constant of this module
        quiet=QUIET_SECONDS,
        after=after,
        limit=limit,
    )
    return [row["subject_id"] for row in rows]
