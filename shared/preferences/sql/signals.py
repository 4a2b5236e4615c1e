"""Preference signals from feedback, and the preferences learned from them (CN-06)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import null, select

from shared.kernel.database import Transaction
from shared.kernel.ids import MemoryId
from shared.kernel.subjects import Subject
from shared.preferences.rules import IGNORED, Action, Label, Language, Signal
from shared.preferences.sql.tables import visible_preference_signals

AS_DERIVED: Final = select(
    visible_preference_signals.c.id,
    visible_preference_signals.c.label,
    null().label("content"),
    visible_preference_signals.c.recorded_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The feedback that a signal comes from, and the position in its conversation."""

    feedback_id: UUID
    conversation_id: UUID | None
    at_seq: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSignal:
    """A visible signal; it has no quote if it was given in privacy mode."""

    id: UUID
    label: Label
    language: Language
    quote: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPreference:
    """A memory learned from the signals of one topic that share an action.

    `visible` is false while a forget hides it; `superseded` is true once a newer memory replaced it.
    """

    id: MemoryId
    action: Action
    visible: bool
    superseded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A visible signal that a memory was learned from, with its message, if any, and its time."""

    action: Action
    label: Label
    quote: str | None
    message_id: UUID | None
    given_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The number of visible signals with a label and an action."""

    label: str
    action: Action
    count: int


def add(
    tx: Transaction,
    subject: Subject,
    signal_id: UUID,
    source: Source,
    *,
    action: Action,
    topic: bytes,
    signal: Signal | None,
) -> None:
    """Store a signal; None for evidence that said too little, which is only counted."""
    tx.run(
        """
        with kept as (
          insert into preference_signals (id, subject_id, generation, feedback_id, conversation_id, at_seq, action,
                                          topic, label, language)
          values (:id, :subject, :generation, :feedback, :conversation, :at_seq, :action, :topic, :label, :language)
          returning id
        )
        insert into preference_signal_contents (signal_id, quote)
        select id, cast(:quote as text) from kept where cast(:quote as text) is not null
        """,
        id=signal_id,
        subject=subject.id,
        generation=subject.generation,
        feedback=source.feedback_id,
        conversation=source.conversation_id,
        at_seq=source.at_seq,
        action=action,
        topic=topic,
        label=signal.label if signal else IGNORED,
        language=signal.language if signal else "en",
        quote=signal.quote if signal else None,
    )


def counts(tx: Transaction, subject: Subject, topic: bytes) -> dict[Action, int]:
    """Return the number of visible signals of a topic, by action."""
    rows = tx.rows(
        """
        select action, count(*) as count from visible_preference_signals
        where subject_id = :subject and generation = :generation and topic = :topic group by action
        """,
        subject=subject.id,
        generation=subject.generation,
        topic=topic,
    )
    return {row["action"]: row["count"] for row in rows}


def of_kind(tx: Transaction, subject: Subject, topic: bytes, action: Action) -> list[StoredSignal]:
    """Return the visible signals of a topic and action, newest first."""
    rows = tx.rows(
        """
        select id, label, language, quote from visible_preference_signals
        where subject_id = :subject and generation = :generation and topic = :topic and action = :action
        order by id desc
        """,
        subject=subject.id,
        generation=subject.generation,
        topic=topic,
        action=action,
    )
    return [StoredSignal(**row) for row in rows]


def any_hidden(tx: Transaction, subject: Subject, topic: bytes) -> bool:
    """Return whether some signals of a topic are hidden; the forget that hides them may be undone."""
    found: bool = tx.value(
        """
        select exists (
          select from preference_signals p where subject_id = :subject and generation = :generation and topic = :topic
            and not exists (select from visible_preference_signals v where v.id = p.id))
        """,
        subject=subject.id,
        generation=subject.generation,
        topic=topic,
    )
    return found


def learned(tx: Transaction, subject: Subject, topic: bytes) -> list[LearnedPreference]:
    """Return the memories learned from the signals of a topic, newest first, including hidden ones."""
    rows = tx.rows(
        """
        select m.id, min(p.action) as action,
               exists (select from visible_memories v where v.id = m.id) as visible,
               m.id in (select superseded_memories(:subject)) as superseded
        from preference_signals p
        join lineage l on l.source_kind = 'signal' and l.source_id = p.id and l.derived_kind = 'memory'
        join memories m on m.id = l.derived_id and m.generation = :generation
        where p.subject_id = :subject and p.generation = :generation and p.topic = :topic
        group by m.id order by m.id desc
        """,
        subject=subject.id,
        generation=subject.generation,
        topic=topic,
    )
    return [LearnedPreference(**row) for row in rows]


def totals(tx: Transaction, subject_id: UUID) -> list[Total]:
    """Return the number of a person's visible signals by label and action; ignored ones have their own label."""
    rows = tx.rows(
        """
        select label, action, count(*) as count from visible_preference_signals
        where subject_id = :subject group by label, action order by label, action
        """,
        subject=subject_id,
    )
    return [Total(**row) for row in rows]


def learned_ids(tx: Transaction, subject_id: UUID) -> list[MemoryId]:
    """Return the current preferences learned from feedback, newest first."""
    rows = tx.rows(
        """
        select id from visible_memories where subject_id = :subject and method = 'feedback' and origin = 'learned'
          and id not in (select superseded_memories(:subject))
        order by id desc
        """,
        subject=subject_id,
    )
    return [row["id"] for row in rows]


def judgements(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Judgement]]:
    """Return the visible signals each memory was learned from, oldest first; an empty list if there are none."""
    rows = tx.rows(
        """
        select l.derived_id, p.action, p.label, p.quote, f.message_id, p.recorded_at as given_at
        from visible_lineage l
        join visible_preference_signals p on l.source_kind = 'signal' and p.id = l.source_id
        join visible_feedback f on f.id = p.feedback_id
        where l.derived_kind = 'memory' and l.derived_id = any(:ids) order by p.id
        """,
        ids=list(memory_ids),
    )
    found: dict[UUID, list[Judgement]] = {memory_id: [] for memory_id in memory_ids}
    for row in rows:
        members = dict(row)
        found[members.pop("derived_id")].append(Judgement(**members))
    return found
