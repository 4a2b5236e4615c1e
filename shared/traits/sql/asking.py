"""Messages of a person in which a language model may look for behaviors (TR-09)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from shared.kernel.database import Row, Transaction
from shared.kernel.event_log import stream_name
from shared.kernel.subjects import Subject
from shared.traits.sql.observations import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A visible message that may be learned from; `project`: whether it was said in one."""

    source: Source
    text: str
    project: bool
    recorded_at: datetime


def new(tx: Transaction, subject: Subject, *, limit: int) -> list[Said]:
    """Return the newest messages that no model was asked about yet, newest first."""
    rows = tx.rows(
        """
        select m.id, m.conversation_id, m.seq, m.text, m.spoken_at, m.recorded_at, c.project_id
        from visible_messages m join visible_conversations c on c.id = m.conversation_id
        where m.subject_id = :subject and m.generation = :generation and m.role = 'user' and m.completed and m.learn
          and c.remember and m.recorded_at > :after and m.recorded_at <= now()
          and not exists (select from unlearnable_spans u where u.message_id = m.id)
        order by m.recorded_at desc, m.id desc limit :limit
        """,
        **_of(subject),
        after=max(since(tx, subject), _asked(tx, subject)),
        limit=limit,
    )
    return [_said(row) for row in rows]


def any_new(tx: Transaction, subject: Subject) -> bool:
    """Return whether there are messages that no model was asked about."""
    return bool(new(tx, subject, limit=1))


def some(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> list[Said]:
    """Return those of these messages that a model may be shown now, oldest first."""
    rows = tx.rows(
        """
        select m.id, m.conversation_id, m.seq, m.text, m.spoken_at, m.recorded_at, c.project_id
        from visible_messages m join visible_conversations c on c.id = m.conversation_id
        where m.id = any(:ids) and m.subject_id = :subject and m.generation = :generation and m.role = 'user'
          and m.completed and m.learn and c.remember and m.recorded_at > :after and m.recorded_at <= now()
          and not exists (select from unlearnable_spans u where u.message_id = m.id)
        order by m.recorded_at, m.id
        """,
        **_of(subject),
        after=since(tx, subject),
        ids=list(ids),
    )
    return [_said(row) for row in rows]


def of_episodes(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> list[UUID]:
    """Return the person's messages of these episodes."""
    rows = tx.rows(
        "select user_message_id from visible_episodes where subject_id = :subject and id = any(:ids)",
        subject=subject.id,
        ids=list(ids),
    )
    return [row["user_message_id"] for row in rows if row["user_message_id"] is not None]


def note_asked(tx: Transaction, subject: Subject, through: datetime) -> None:
    """Note that a model was asked about everything recorded until then."""
    tx.run(
        """
        insert into trait_questions (subject_id, generation, asked) values (:subject, :generation, :through)
        on conflict (subject_id, generation) do update set asked = greatest(trait_questions.asked, excluded.asked)
        """,
        **_of(subject),
        through=through,
    )


def start_anew(tx: Transaction, subject: Subject, *, operation_id: UUID | None = None) -> None:
    """Let nothing be read for traits that was recorded until now; not if the operation is undone."""
    if operation_id is None:
        tx.run(
            """
            insert into trait_questions (subject_id, generation, since)
            values (:subject, :generation, clock_timestamp())
            on conflict (subject_id, generation) do update set since = excluded.since
            """,
            **_of(subject),
        )
        return
    tx.run(
        """
        insert into trait_questions (subject_id, generation, restarts)
        values (:subject, :generation, jsonb_build_object(cast(:operation as text), clock_timestamp()))
        on conflict (subject_id, generation) do update set restarts = trait_questions.restarts || excluded.restarts
        """,
        **_of(subject),
        operation=operation_id,
    )


def undo_start(tx: Transaction, subject: Subject, *, operation_id: UUID) -> None:
    """Let everything be read again that an operation kept from being read."""
    tx.run(
        """
        update trait_questions set restarts = restarts - cast(:operation as text)
        where subject_id = :subject and generation = :generation
        """,
        **_of(subject),
        operation=operation_id,
    )


def _asked(tx: Transaction, subject: Subject) -> datetime:
    asked: datetime = tx.value(
        """
        select greatest('epoch',
          (select asked from trait_questions where subject_id = :subject and generation = :generation))
        """,
        **_of(subject),
    )
    return asked


def since(tx: Transaction, subject: Subject) -> datetime:
    """Return the time up to which nothing is read for traits that was not observed when it was said.

    A change of a setting or a consent counts for later messages only: messages sent while traits were off stay unread
    when traits are switched on again.
    """
    after: datetime = tx.value(
        """
        select greatest('epoch',
          (select since from trait_questions where subject_id = :subject and generation = :generation),
          (select max(cast(until as timestamptz)) from trait_questions, jsonb_each_text(restarts) as r(operation, until)
           where subject_id = :subject and generation = :generation),
          (select max(at) from events where stream = any(:streams)))
        """,
        **_of(subject),
        streams=[stream_name(kind, subject.id) for kind in ("settings", "consent")],
    )
    return after


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
    return Said(source=source, text=row["text"], project=row["project_id"] is not None, recorded_at=row["recorded_at"])
