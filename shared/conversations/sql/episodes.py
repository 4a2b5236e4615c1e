"""SQL for episodes. There is one per turn, and its text is that of its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, any_, bindparam, cast, func, literal, null, select

from shared.conversations.sql.tables import episodes, visible_episodes, visible_messages
from shared.conversations.sql.turns import Turn
from shared.kernel.database import Row, Transaction
from shared.kernel.ids import ConversationId, EpisodeId
from shared.kernel.subjects import Subject
from shared.lineage.sql.vector_keys import FoundBy, found_by

AS_DERIVED: Final = select(
    visible_episodes.c.id,
    (literal("turn ") + cast(visible_episodes.c.turn, Text)).label("label"),
    null().label("content"),
    visible_episodes.c.created_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A visible episode with both sides of its turn from PostgreSQL (MC-04).

    Args:
        spoken_at: when the turn began; an imported episode is created much later.
    """

    id: EpisodeId
    conversation_id: ConversationId
    user_message_id: UUID | None
    assistant_message_id: UUID | None
    user_message: str | None
    assistant_message: str | None
    spoken_at: datetime
    created_at: datetime
    found_by: FoundBy = "words"


_E: Final = visible_episodes.c
_USER: Final = visible_messages.alias("u")
_ASSISTANT: Final = visible_messages.alias("a")
_OF_CONVERSATION: Final = (
    select(_E.id, _E.conversation_id, _E.user_message_id, _E.assistant_message_id, _E.created_at)
    .add_columns(_USER.c.text.label("user_message"), _ASSISTANT.c.text.label("assistant_message"))
    .add_columns(func.coalesce(_USER.c.spoken_at, _ASSISTANT.c.spoken_at, _E.created_at).label("spoken_at"))
    .add_columns(found_by("episode", _E.id))
    .outerjoin(_USER, (_USER.c.id == _E.user_message_id) & (_USER.c.conversation_id == _E.conversation_id))
    .outerjoin(
        _ASSISTANT,
        (_ASSISTANT.c.id == _E.assistant_message_id) & (_ASSISTANT.c.conversation_id == _E.conversation_id),
    )
    .where(_E.conversation_id == bindparam("conversation"))
)
_BEFORE: Final = bindparam("before", type_=Uuid)
_SEQ_BEFORE: Final = (
    select(episodes.c.first_seq)
    .where(episodes.c.id == _BEFORE, episodes.c.conversation_id == bindparam("conversation"))
    .scalar_subquery()
)
_PAGE: Final = (
    _OF_CONVERSATION.where(_BEFORE.is_(None) | func.coalesce(_E.first_seq < _SEQ_BEFORE, _E.id < _BEFORE))
    .order_by(_E.first_seq.desc())
    .limit(bindparam("limit"))
)
_SOME: Final = _OF_CONVERSATION.where(
    _E.id == any_(bindparam("ids", type_=ARRAY(Uuid))), _E.subject_id == bindparam("subject")
)


def add(tx: Transaction, subject: Subject, episode_id: UUID, turn: Turn) -> bool:
    """Create the episode of a turn; False if the turn already has one."""
    first = turn.messages[0]
    sides = {role: [m.id for m in turn.messages if m.role == role] for role in ("user", "assistant")}
    inserted = tx.run(
        """
        insert into episodes (id, subject_id, generation, conversation_id, turn, first_seq, user_message_id,
                              assistant_message_id)
        values (:id, :subject, :generation, :conversation, :turn, :first_seq, :user, :assistant)
        on conflict (conversation_id, turn) do nothing
        """,
        id=episode_id,
        subject=subject.id,
        generation=subject.generation,
        conversation=first.conversation_id,
        turn=first.turn,
        first_seq=first.seq,
        user=sides["user"][0] if sides["user"] else None,
        assistant=sides["assistant"][-1] if sides["assistant"] else None,
    )
    return inserted == 1


def of_turn(tx: Transaction, conversation_id: UUID, turn: int) -> UUID | None:
    """Return the episode of a turn, visible or not."""
    found: UUID | None = tx.value(
        "select id from episodes where conversation_id = :conversation and turn = :turn",
        conversation=conversation_id,
        turn=turn,
    )
    return found


def page(tx: Transaction, conversation_id: UUID, *, before: UUID | None, limit: int) -> Sequence[Episode]:
    """Return a conversation's episodes, latest turn first, which may differ from their creation order.

    Args:
        before: continue after this episode; if it is gone, compare ids instead.
    """
    return [_episode(row) for row in tx.rows(_PAGE, conversation=conversation_id, before=before, limit=limit)]


def read_many(tx: Transaction, subject_id: UUID, conversation_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Episode]:
    """Return the visible ones among some episodes of one conversation."""
    rows = tx.rows(_SOME, ids=list(ids), subject=subject_id, conversation=conversation_id)
    return {row["id"]: _episode(row) for row in rows}


def _episode(row: Row) -> Episode:
    return Episode(**row)
