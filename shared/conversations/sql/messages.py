"""SQL for messages and their content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, bindparam, func, select

from shared.conversations.sql.tables import visible_conversations, visible_messages
from shared.kernel.database import Row, Transaction
from shared.kernel.ids import ConversationId, MessageId
from shared.kernel.metadata import Metadata
from shared.kernel.subjects import Subject

NEAR: Final = 4
"""How many windows from the end to search first for the newest messages, because some may be hidden or incomplete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to record. Without `remember` nothing is ever derived from it.

    `names_task`: whether its text or hint names the task of the following turns (LT-06).
    `metadata`: another program's; each memory learned from the message gets a copy.
    """

    id: UUID
    seq: int
    turn: int
    session: int
    role: str
    completed: bool
    client_key: bytes | None
    client_message_id: str | None
    text: str
    name: str | None
    task_hint: str | None
    spoken_at: datetime | None
    remember: bool
    names_task: bool = False
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A visible message."""

    id: MessageId
    conversation_id: ConversationId
    seq: int
    turn: int
    session: int
    role: str
    completed: bool
    text: str
    name: str | None
    task_hint: str | None
    client_message_id: str | None
    spoken_at: datetime
    recorded_at: datetime
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A client message id that was seen before. `erased` ones are never recorded again."""

    client_key: bytes
    id: UUID
    completed: bool
    erased: bool


_M: Final = visible_messages.c
COLUMNS: Final = tuple(_M[name] for name in Message.__dataclass_fields__)
_BY_ID: Final = select(*COLUMNS).where(_M.id == bindparam("id"), _M.subject_id == bindparam("subject"))
_BEFORE: Final = bindparam("before", type_=BigInteger)
_NEXT: Final = (
    select(visible_conversations.c.next_seq)
    .where(visible_conversations.c.id == bindparam("conversation"))
    .scalar_subquery()
)
_WINDOW: Final = (
    select(*COLUMNS)
    .where(
        _M.conversation_id == bindparam("conversation"),
        _M.completed | ~bindparam("completed_only", type_=Boolean),
        _BEFORE.is_(None) | (_M.seq < _BEFORE),
        _M.seq >= func.coalesce(func.least(_BEFORE, _NEXT) - bindparam("reach", type_=BigInteger), 0),
    )
    .order_by(_M.seq.desc())
    .limit(bindparam("limit"))
)


def add(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    new: Sequence[NewMessage],
    *,
    summarize: bool,
    index_episode: bool,
    learn: bool,
) -> dict[UUID, datetime]:
    """Insert messages with their content; return the time each was spoken."""
    rows = tx.rows(
        """
        with new as (
          select * from jsonb_to_recordset(:messages) as m(
            id uuid, seq bigint, turn bigint, session integer, role text, completed boolean, client_key text,
            client_message_id text, text text, name text, task_hint text, spoken_at timestamptz, remember boolean,
            names_task boolean, metadata jsonb)
        ), inserted as (
          insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed,
                                client_key, summarize, index_episode, learn, spoken_at, names_task)
          select id, :subject, :generation, :conversation, seq, turn, session, role, completed,
                 decode(client_key, 'hex'), remember and :summarize, remember and :index_episode, remember and :learn,
                 least(coalesce(spoken_at, now()), now()), names_task
          from new returning id, spoken_at
        ), contents as (
          insert into message_contents (message_id, subject_id, text, name, task_hint, client_message_id, metadata)
          select id, :subject, text, name, task_hint, client_message_id, nullif(metadata, 'null') from new
        )
        select id, spoken_at from inserted
        """,
        messages=json.dumps([_wire(message) for message in new]),
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        summarize=summarize,
        index_episode=index_episode,
        learn=learn,
    )
    return {row["id"]: row["spoken_at"] for row in rows}


def known(tx: Transaction, conversation_id: UUID, client_keys: Sequence[bytes]) -> dict[bytes, Known]:
    """Return which of these client message ids the conversation has seen, including erased ones."""
    if not client_keys:
        return {}
    rows = tx.rows(
        """
        select client_key, id, completed, false as erased from messages
        where conversation_id = :conversation and client_key = any(:keys)
        union all
        select client_key, id, true, true from erased_messages
        where conversation_id = :conversation and client_key = any(:keys)
        """,
        conversation=conversation_id,
        keys=list(client_keys),
    )
    return {
        bytes(row["client_key"]): Known(
            client_key=bytes(row["client_key"]), id=row["id"], completed=row["completed"], erased=row["erased"]
        )
        for row in rows
    }


def complete(
    tx: Transaction,
    subject_id: UUID,
    message_id: UUID,
    *,
    text: str,
    summarize: bool,
    index_episode: bool,
    learn: bool,
    name: str | None,
    task_hint: str | None,
    names_task: bool,
    metadata: Metadata | None,
) -> None:
    """Complete an incomplete message. Its text arrives now, so the current switches apply as well.

    Args:
        name, task_hint, metadata: None keeps what it has.
    """
    tx.run(
        """
        update messages set completed = true, summarize = summarize and :summarize,
          index_episode = index_episode and :index_episode, learn = learn and :learn,
          names_task = :names_task
        where id = :id
        """,
        id=message_id,
        names_task=names_task,
        summarize=summarize,
        index_episode=index_episode,
        learn=learn,
    )
    ids = {"subject": subject_id, "id": message_id}
    tx.run(
        """
        update message_contents set text = :text, version = version + 1
        where subject_id = :subject and message_id = :id
        """,
        text=text,
        **ids,
    )
    # One statement each: the role may write these columns and not read them, so none can keep its value.
    if name is not None:
        tx.run(
            "update message_contents set name = :name where subject_id = :subject and message_id = :id",
            name=name,
            **ids,
        )
    if task_hint is not None:
        tx.run(
            "update message_contents set task_hint = :hint where subject_id = :subject and message_id = :id",
            hint=task_hint,
            **ids,
        )
    if metadata is not None:
        tx.run(
            """
            update message_contents set metadata = cast(:metadata as jsonb)
            where subject_id = :subject and message_id = :id
            """,
            metadata=json.dumps(metadata),
            **ids,
        )


def stop_learning(tx: Transaction, subject: Subject) -> None:
    """Keep every message a person has recorded until now from being learned from."""
    tx.run("update messages set learn = false where subject_id = :subject and learn", subject=subject.id)


def read(tx: Transaction, subject_id: UUID, message_id: UUID) -> Message | None:
    """Return a visible message of this person."""
    row = tx.row(_BY_ID, id=message_id, subject=subject_id)
    return as_message(row) if row else None


def window(
    tx: Transaction, conversation_id: UUID, *, limit: int, before_seq: int | None = None, completed_only: bool = False
) -> Sequence[Message]:
    """Return the newest visible messages, oldest first (MC-02).

    Searches near the end first, and everywhere only if too few are found there: PostgreSQL does not use the index order
    here and would read the whole conversation.
    """
    found: Sequence[Row] = ()
    for reach in (NEAR * limit, None):
        found = tx.rows(
            _WINDOW,
            conversation=conversation_id,
            before=before_seq,
            completed_only=completed_only,
            reach=reach,
            limit=limit,
        )
        if len(found) == limit:
            break
    return [as_message(row) for row in reversed(found)]


def are_as_read(tx: Transaction, read: Mapping[UUID, str]) -> bool:
    """Return whether all of these messages are visible, with what was read of them: a part may be forgotten.

    Args:
        read: their texts, or the beginnings of long ones.
    """
    rows = tx.rows("select id, text from visible_messages where id = any(:ids)", ids=list(read))
    return len(rows) == len(read) and all(row["text"].startswith(read[row["id"]]) for row in rows)


def _wire(message: NewMessage) -> dict[str, Any]:
    return {
        "id": str(message.id),
        "seq": message.seq,
        "turn": message.turn,
        "session": message.session,
        "role": message.role,
        "completed": message.completed,
        "client_key": message.client_key.hex() if message.client_key else None,
        "client_message_id": message.client_message_id,
        "text": message.text,
        "name": message.name,
        "task_hint": message.task_hint,
        "spoken_at": message.spoken_at.isoformat() if message.spoken_at else None,
        "remember": message.remember,
        "names_task": message.names_task,
        "metadata": message.metadata,
    }


def as_message(row: Row) -> Message:
    return Message(**{name: row[name] for name in Message.__dataclass_fields__})
