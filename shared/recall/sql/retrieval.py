"""Reads a conversation for recall's search: its speakers, and the visible messages behind the hits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Text, bindparam, func, select

from shared.conversations.sql.tables import visible_conversations, visible_messages
from shared.kernel.database import Row, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation for a search: its speakers' names and its approximate number of messages."""

    names: tuple[str, ...]
    messages: int


NOBODY: Final = Talk(names=(), messages=0)
"""No conversation is searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """A visible message of a visible episode."""

    id: UUID
    episode_id: UUID
    seq: int
    name: str | None
    said_at: datetime


_C: Final = visible_conversations.c
_M: Final = visible_messages.c
_NAMES: Final = (
    select(_M.name)
    .distinct()
    .where(_M.conversation_id == _C.id, _M.seq >= _C.next_seq - 20, _M.name.is_not(None))
    .scalar_subquery()
)
TALK: Final = ((_C.next_seq - 1).label("messages"), func.array(_NAMES, type_=ARRAY(Text)).label("names"))
"""Columns about a visible conversation: the speakers are read from its last twenty messages."""
_TALK_OF: Final = select(*TALK).where(_C.id == bindparam("id"))


def talk(tx: Transaction, conversation_id: UUID) -> Talk:
    """Describe a conversation; `NOBODY` if it is not visible."""
    row = tx.row(_TALK_OF, id=conversation_id)
    return talk_in(row) if row else NOBODY


def talk_in(row: Row) -> Talk:
    """Return the columns of `TALK` as an object."""
    return Talk(names=tuple(sorted(row["names"])), messages=row["messages"] or 0)


def messages_around(tx: Transaction, conversation_id: UUID, seqs: Collection[int], *, reach: int) -> list[FoundMessage]:
    """Return the visible messages of visible episodes at some seqs, and up to `reach` before and after each.

    Both tables are read by key and then joined. With outdated statistics, PostgreSQL would plan a single join whose
    cost grows with the conversation.
    """
    rows = tx.rows(
        """
        with said as materialized (
          select id, seq, turn, name, spoken_at from visible_messages
          where conversation_id = :conversation and completed and index_episode and seq = any(:seqs)
        ), seen as materialized (
          select id, turn from visible_episodes
          where conversation_id = :conversation and turn = any(array(select turn from said))
        )
        select said.id, seen.id as episode_id, said.seq, said.name, said.spoken_at as said_at
        from said join seen on seen.turn = said.turn
        """,
        conversation=conversation_id,
        seqs=sorted({seq + step for seq in seqs for step in range(-reach, reach + 1)}),
    )
    return [FoundMessage(**row) for row in rows]


def messages_of(tx: Transaction, conversation_id: UUID, episode_ids: Collection[UUID]) -> list[FoundMessage]:
    """Return the visible messages of these episodes of a conversation; only visible episodes count."""
    rows = tx.rows(
        """
        with of_anybody as materialized (
          select id, conversation_id, turn from visible_episodes where id = any(:ids)
        ), seen as materialized (
          select id, turn from of_anybody where conversation_id = :conversation
        ), said as materialized (
          select id, seq, turn, name, spoken_at from visible_messages
          where conversation_id = :conversation and completed and index_episode
            and turn = any(array(select turn from seen))
        )
        select said.id, seen.id as episode_id, said.seq, said.name, said.spoken_at as said_at
        from said join seen on seen.turn = said.turn
        """,
        conversation=conversation_id,
        ids=list(episode_ids),
    )
    return [FoundMessage(**row) for row in rows]
