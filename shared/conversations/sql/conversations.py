"""SQL for conversations."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, all_, bindparam, column, select, text

from shared.conversations.rules.turns import TurnState
from shared.conversations.sql.tables import visible_conversations, visible_messages
from shared.kernel.database import Transaction
from shared.kernel.ids import ConversationId
from shared.kernel.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation as its owner sees it."""

    id: ConversationId
    project_id: str | None
    title: str | None
    external_id: str | None
    session: int
    remember: bool
    message_count: int
    opening: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTalk:
    """A conversation that matches a text search, in this visible message or only in its title."""

    conversation: Conversation
    message_id: UUID | None
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """The state needed to add messages. `gone` is true once the conversation was forgotten.

    Without `remember` nothing is derived from new messages (X-08).
    """

    next_seq: int
    session: int
    turn: TurnState
    project_id: str | None
    cleared_through: int
    remember: bool
    gone: bool


OPENING_MAX: Final = 400

_C: Final = visible_conversations.c
_M: Final = visible_messages.c
_VISIBLE: Final = (
    text(
        """
        select c.id, c.project_id, c.title, c.external_id, c.session, c.remember, c.created_at, c.updated_at,
               (select left(m.text, :opening_max) from visible_messages m
                where m.conversation_id = c.id and m.role = 'user' order by m.seq limit 1) as opening,
               (select count(*) from messages m where m.conversation_id = c.id and m.seq > c.cleared_through
                  and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id)) as message_count
        from visible_conversations c where c.subject_id = :subject
        """
    )
    .bindparams(opening_max=OPENING_MAX)
    .columns(
        *(_C.id, _C.project_id, _C.title, _C.external_id, _C.session, _C.remember, _C.created_at, _C.updated_at),
        *(column("opening"), column("message_count")),
    )
    .subquery("v")
)
"""A person's visible conversations as their owner sees them."""
_BY_ID: Final = select(_VISIBLE).where(_VISIBLE.c.id == bindparam("id"))
_NEWEST: Final = select(_VISIBLE).order_by(_VISIBLE.c.id.desc()).limit(bindparam("limit"))
_BEFORE: Final = bindparam("before", type_=Uuid)
_CALLED: Final = bindparam("external_id", type_=Text)
_PAGE: Final = _NEWEST.where(
    _BEFORE.is_(None) | (_VISIBLE.c.id < _BEFORE), _CALLED.is_(None) | (_VISIBLE.c.external_id == _CALLED)
)
_PATTERNS: Final = bindparam("patterns", type_=ARRAY(Text))
_SAID: Final = (
    text(
        """
        select distinct on (m.conversation_id) m.conversation_id, m.id, m.text from visible_messages m
        where m.subject_id = :subject and m.text ilike all (cast(:patterns as text[]))
        order by m.conversation_id, m.seq desc
        """
    )
    .columns(_M.conversation_id, _M.id, _M.text)
    .cte("said")
)
_WITH_WORDS: Final = (
    _NEWEST.add_columns(_SAID.c.id.label("message_id"), _SAID.c.text)
    .outerjoin(_SAID, _SAID.c.conversation_id == _VISIBLE.c.id)
    .where(_SAID.c.id.is_not(None) | _VISIBLE.c.title.ilike(all_(_PATTERNS)))
)


def add(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    *,
    project_id: str | None,
    title: str | None,
    external_id: str | None = None,
    remember: bool = True,
) -> None:
    tx.run(
        """
        insert into conversations (id, subject_id, generation, project_id, external_id, remember)
        values (:id, :subject, :generation, :project, :external_id, :remember)
        """,
        id=conversation_id,
        subject=subject.id,
        generation=subject.generation,
        project=project_id,
        external_id=external_id,
        remember=remember,
    )
    if title is not None:
        tx.run(
            "insert into conversation_contents (conversation_id, title, at_seq) values (:id, :title, 1)",
            id=conversation_id,
            title=title,
        )


def is_taken(tx: Transaction, subject_id: UUID, external_id: str) -> bool:
    """Return whether a visible conversation of this person has an external id; call it under a lock of your own."""
    found: bool = tx.value(
        "select exists (select from visible_conversations where subject_id = :subject and external_id = :external_id)",
        subject=subject_id,
        external_id=external_id,
    )
    return found


def give_up_taken(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> None:
    """Take the external id from a conversation that is visible again, if another one has it by now."""
    tx.run(
        """
        update conversations c set external_id = null where c.id = :id and exists (
          select from visible_conversations v
          where v.subject_id = :subject and v.external_id = c.external_id and v.id <> c.id)
        """,
        id=conversation_id,
        subject=subject_id,
    )


def read(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> Conversation | None:
    """Return a visible conversation of this person."""
    row = tx.row(_BY_ID, subject=subject_id, id=conversation_id)
    return Conversation(**row) if row else None


def is_visible(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> bool:
    """Return whether a conversation belongs to this person and is visible, without counting its messages."""
    found: bool = tx.value(
        "select exists (select from visible_conversations where id = :id and subject_id = :subject)",
        id=conversation_id,
        subject=subject_id,
    )
    return found


def project_of(tx: Transaction, conversation_id: UUID) -> str | None:
    """Return the project of a visible conversation, if any."""
    project: str | None = tx.value("select project_id from visible_conversations where id = :id", id=conversation_id)
    return project


def remembers(tx: Transaction, conversation_id: UUID) -> bool:
    """Return whether new messages in a visible conversation are remembered (X-08)."""
    found: bool | None = tx.value("select remember from visible_conversations where id = :id", id=conversation_id)
    return bool(found)


def set_remember(tx: Transaction, conversation_id: UUID, *, remember: bool) -> None:
    """Set whether new messages are remembered; recorded messages keep their marks."""
    tx.run(
        "update conversations set remember = :remember, updated_at = now() where id = :id",
        id=conversation_id,
        remember=remember,
    )


def set_title(tx: Transaction, conversation_id: UUID, title: str | None) -> bool:
    """Set or remove a conversation's title; return whether it changed."""
    known: str | None = tx.value("select title from visible_conversations where id = :id", id=conversation_id)
    if known == title:
        return False
    tx.run("delete from conversation_contents where conversation_id = :id", id=conversation_id)
    if title is not None:
        tx.run(
            """
            insert into conversation_contents (conversation_id, title, at_seq)
            select id, :title, next_seq from conversations where id = :id
            """,
            id=conversation_id,
            title=title,
        )
    tx.run("update conversations set updated_at = now() where id = :id", id=conversation_id)
    return True


def titles(tx: Transaction, conversation_ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the titles of these conversations, without those that have none or are not visible."""
    rows = tx.rows(
        "select id, title from visible_conversations where id = any(:ids) and title is not null",
        ids=list(conversation_ids),
    )
    return {row["id"]: row["title"] for row in rows}


def page(
    tx: Transaction, subject_id: UUID, *, before: UUID | None, limit: int, external_id: str | None = None
) -> Sequence[Conversation]:
    """Return visible conversations, newest first, older than `before`; with an external id only the one that has it."""
    rows = tx.rows(_PAGE, subject=subject_id, before=before, limit=limit, external_id=external_id)
    return [Conversation(**row) for row in rows]


def with_words(tx: Transaction, subject_id: UUID, words: Sequence[str], *, limit: int) -> list[FoundTalk]:
    """Return the conversations whose title or one of whose messages contains all these words, newest first.

    Each has its newest matching message. Case is ignored.
    """
    escaped = [re.sub(r"([\\%_])", r"\\\1", word) for word in words]
    rows = tx.rows(_WITH_WORDS, subject=subject_id, patterns=[f"%{word}%" for word in escaped], limit=limit)
    return [
        FoundTalk(message_id=row.pop("message_id"), text=row.pop("text"), conversation=Conversation(**row))
        for row in map(dict, rows)
    ]


def for_intake(tx: Transaction, subject: Subject, conversation_id: UUID) -> Intake | None:
    """Lock a conversation of this generation for recording; None if it does not belong to this person."""
    row = tx.row(
        """
        select c.next_seq, c.session, c.turn, c.turn_open, c.turn_has_user, c.project_id, c.cleared_through,
               c.remember, c.erased_at is not null
                 or exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id) as gone
        from conversations c
        where c.id = :id and c.subject_id = :subject and c.generation = :generation
        for no key update of c
        """,
        id=conversation_id,
        subject=subject.id,
        generation=subject.generation,
    )
    if row is None:
        return None
    return Intake(
        next_seq=row["next_seq"],
        session=row["session"],
        turn=TurnState(turn=row["turn"], is_open=row["turn_open"], has_user_message=row["turn_has_user"]),
        project_id=row["project_id"],
        cleared_through=row["cleared_through"],
        remember=row["remember"],
        gone=row["gone"],
    )


def advance(tx: Transaction, conversation_id: UUID, *, next_seq: int, session: int, turn: TurnState) -> None:
    """Store the position of the next message."""
    tx.run(
        """
        update conversations set next_seq = :next_seq, session = :session, turn = :turn, turn_open = :open,
          turn_has_user = :has_user, updated_at = now() where id = :id
        """,
        id=conversation_id,
        next_seq=next_seq,
        session=session,
        turn=turn.turn,
        open=turn.is_open,
        has_user=turn.has_user_message,
    )
