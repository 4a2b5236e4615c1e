"""What a person said, for a language model that proposes which behaviors it shows (TR-09)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, exists, func, select

from shared.conversations.sql.tables import visible_conversations, visible_episodes, visible_messages
from shared.kernel.database import Row, Transaction
from shared.kernel.subjects import Subject
from shared.lineage.sql.tables import unlearnable_spans
from shared.traits.sql.observations import Source
from shared.traits.sql.tables import reflections

_M: Final = visible_messages.c
_LAST: Final = (
    select(func.max(reflections.c.recorded_at))
    .where(reflections.c.subject_id == bindparam("subject"), reflections.c.generation == bindparam("generation"))
    .scalar_subquery()
)
_SAID: Final = (
    select(_M.id, _M.conversation_id, _M.seq, _M.text, _M.spoken_at, visible_conversations.c.project_id)
    .join(visible_conversations, visible_conversations.c.id == _M.conversation_id)
    .where(_M.subject_id == bindparam("subject"), _M.generation == bindparam("generation"))
    .where(_M.role == "user", _M.completed, _M.learn, visible_conversations.c.remember)
    .where(~exists().where(unlearnable_spans.c.message_id == _M.id))
    .order_by(_M.id.desc())
)
_NEW: Final = _SAID.where(_LAST.is_(None) | (_M.recorded_at > _LAST)).limit(bindparam("limit"))
_SOME: Final = _SAID.where(_M.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
_OF_EPISODES: Final = select(visible_episodes.c.user_message_id).where(
    visible_episodes.c.subject_id == bindparam("subject"),
    visible_episodes.c.id == any_(bindparam("ids", type_=ARRAY(Uuid))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A visible message that may be learned from; `project`: whether it was said in one."""

    source: Source
    text: str
    project: bool


def new(tx: Transaction, subject: Subject, *, limit: int) -> list[Said]:
    """Return the newest messages recorded since the last reflection, newest first."""
    return [_said(row) for row in tx.rows(_NEW, **_of(subject), limit=limit)]


def some(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> list[Said]:
    """Return those of these messages that may be learned from now, newest first."""
    return [_said(row) for row in tx.rows(_SOME, **_of(subject), ids=list(ids))]


def of_episodes(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> list[UUID]:
    """Return the person's messages of these episodes."""
    return [row["user_message_id"] for row in tx.rows(_OF_EPISODES, subject=subject.id, ids=list(ids))]


def _of(subject: Subject) -> dict[str, Any]:
    return {"subject": subject.id, "generation": subject.generation}


def _said(row: Row) -> Said:
    source = Source(
        kind="message",
        id=row["id"],
        conversation_id=row["conversation_id"],
        at_seq=row["seq"],
        at=row["spoken_at"],
    )
    return Said(source=source, text=row["text"], project=row["project_id"] is not None)
