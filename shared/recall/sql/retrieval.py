"""Reads a conversation for recall's search: its speakers, and the visible messages behind the hits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

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


TALK: Final = """c.next_seq - 1 as messages, array(
  select distinct m.name from visible_messages m
  where m.conversation_id = c.id and m.seq >= c.next_seq - 20 and m.name is not null) as names"""
"""Columns about a visible conversation `c`: the speakers are read from its last twenty messages."""


def talk(tx: Transaction, conversation_id: UUID) -> Talk:
    """Describe a conversation; `NOBODY` if it is not visible."""
    row = tx.row(f"select {TALK} from visible_conversations c where c.id = :id", id=conversation_id)  # noqa: S608
    return talk_in(row) if row else NOBODY


def talk_in(row: Row) -> Talk:
    """Return the columns of `TALK` as an object."""
    return Talk(names=tuple(sorted(row["names"])), messages=row["messages"] or 0)


_MESSAGES: Final = """
  select id, seq, turn, name, spoken_at as said_at from visible_messages
  where conversation_id = :conversation and completed and index_episode"""
_FOUND: Final = """
  select said.id, seen.id as episode_id, said.seq, said.name, said.said_at
  from said join seen on seen.turn = said.turn"""


def messages_around(tx: Transaction, conversation_id: UUID, seqs: Collection[int], *, reach: int) -> list[FoundMessage]:
    """Return the visible messages of visible episodes at some seqs, and up to `reach` before and after each.

    Both tables are read by key and then joined. With outdated statistics, PostgreSQL would plan a single join whose
    cost grows with the conversation.
    """
    rows = tx.rows(
        f"""
        with said as materialized ({_MESSAGES} and seq = any(:seqs)),
        seen as materialized (
          select id, turn from visible_episodes
          where conversation_id = :conversation and turn = any(array(select turn from said))
        ) {_FOUND}
        """,  # noqa: S608 # constants of this module
        conversation=conversation_id,
        seqs=sorted({seq + step for seq in seqs for step in range(-reach, reach + 1)}),
    )
    return [FoundMessage(**row) for row in rows]


def messages_of(tx: Transaction, conversation_id: UUID, episode_ids: Collection[UUID]) -> list[FoundMessage]:
    """Return the visible messages of these episodes of a conversation; only visible episodes count."""
    rows = tx.rows(
        f"""
        with of_anybody as materialized (
          select id, conversation_id, turn from visible_episodes where id = any(:ids)
        ), seen as materialized (select id, turn from of_anybody where conversation_id = :conversation),
        said as materialized ({_MESSAGES} and turn = any(array(select turn from seen))) {_FOUND}
        """,  # noqa: S608 # constants of this module
        conversation=conversation_id,
        ids=list(episode_ids),
    )
    return [FoundMessage(**row) for row in rows]
