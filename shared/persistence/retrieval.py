"""What recall's search reads: who speaks in a conversation, and the visible rows behind what was found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.persistence import messages
from shared.persistence.database import Row, Transaction

NEWEST: Final = 10
"""Messages whose speakers are taken for those of the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation, as far as a search needs to know it: the names of who speaks, and about how many messages."""

    names: tuple[str, ...]
    messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """A visible message of a visible episode."""

    id: UUID
    episode_id: UUID
    seq: int
    name: str | None
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMemory:
    """A visible memory; `usable` tells whether an assistant may be given it. No `cosine` where no vector led to it."""

    id: UUID
    task_hint: str | None
    said_at: datetime
    usable: bool
    cosine: float | None


def talk(tx: Transaction, conversation_id: UUID) -> Talk:
    """Describe a conversation by its newest messages."""
    newest = messages.window(tx, conversation_id, limit=NEWEST)
    names = sorted({message.name for message in newest if message.name})
    return Talk(names=tuple(names), messages=newest[-1].seq if newest else 0)


def messages_around(tx: Transaction, conversation_id: UUID, seqs: Collection[int], *, reach: int) -> list[FoundMessage]:
    """Return the visible messages of visible episodes at some seqs, and up to `reach` before and after each."""
    rows = tx.rows(
        """
        select id, seq, turn, name, spoken_at from visible_messages
        where conversation_id = :conversation and seq = any(:seqs) and completed and index_episode
        """,
        conversation=conversation_id,
        seqs=sorted({seq + step for seq in seqs for step in range(-reach, reach + 1)}),
    )
    episodes = tx.rows(
        "select id, turn from visible_episodes where conversation_id = :conversation and turn = any(:turns)",
        conversation=conversation_id,
        turns=list({row["turn"] for row in rows}),
    )
    return _messages(rows, {row["turn"]: row["id"] for row in episodes})


def messages_of(tx: Transaction, conversation_id: UUID, episode_ids: Collection[UUID]) -> list[FoundMessage]:
    """Return the visible messages of these episodes of a conversation, as far as they are visible.

    Two reads by key: joined, they would cost what the conversation is long wherever PostgreSQL's statistics are old.
    """
    episodes = tx.rows(
        "select id, conversation_id, turn from visible_episodes where id = any(:ids)", ids=list(episode_ids)
    )
    turns = {row["turn"]: row["id"] for row in episodes if row["conversation_id"] == conversation_id}
    rows = tx.rows(
        """
        select id, seq, turn, name, spoken_at from visible_messages
        where conversation_id = :conversation and turn = any(:turns) and completed and index_episode
        """,
        conversation=conversation_id,
        turns=list(turns),
    )
    return _messages(rows, turns)


def _messages(rows: Sequence[Row], episodes: Mapping[int, UUID]) -> list[FoundMessage]:
    """Return the messages whose turn is an episode.

    Args:
        episodes: ids by turn.
    """
    return [
        FoundMessage(
            id=row["id"],
            episode_id=episodes[row["turn"]],
            seq=row["seq"],
            name=row["name"],
            said_at=row["spoken_at"],
        )
        for row in rows
        if row["turn"] in episodes
    ]


def memories_behind(
    tx: Transaction, subject_id: UUID, cosines: Mapping[UUID, float], ids: Sequence[UUID], *, project_id: str | None
) -> list[FoundMemory]:
    """Return the visible memories behind vectors and ids: global ones and the project's.

    Args:
        cosines: by vector key.
    """
    rows = tx.rows(
        """
        with hits as materialized (
          select v.item_id as id, max(h.cosine) as cosine
          from unnest(cast(:keys as uuid[]), cast(:cosines as float8[])) as h(key, cosine)
          join visible_vectors v on v.pk = h.key and v.item_kind = 'memory'
          group by 1
        ), wanted as (select id from hits union select unnest(cast(:ids as uuid[])))
        select m.id, m.task_hint, coalesce(m.spoken_at, m.created_at) as said_at, h.cosine,
               not m.disabled and not m.archived
                 and m.id not in (select superseded_among(array(select id from wanted))) as usable
        from wanted w
        join visible_memories m on m.id = w.id
        left join hits h on h.id = m.id
        where m.subject_id = :subject and (m.scope = 'global' or m.project_id = cast(:project as text))
        order by m.id
        """,
        subject=subject_id,
        project=project_id,
        keys=list(cosines),
        cosines=list(cosines.values()),
        ids=list(ids),
    )
    return [FoundMemory(**row) for row in rows]
