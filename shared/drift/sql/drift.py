"""Signals that a person's view changed: append-only (FC-08)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias
from uuid import UUID

from shared.drift.rules import Grade, SignalKind
from shared.kernel.database import Transaction
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject

SourceKind: TypeAlias = Literal["feedback", "thread_note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One signal. `contents`: the object, both values and the sentence."""

    id: UUID
    drift_id: str
    signal_kind: SignalKind
    triggers_alert: bool
    prior: tuple[SourceKind, UUID]
    current: tuple[SourceKind, UUID]
    contents: Mapping[str, Any]
    observed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """How many signals a person gave lately, and how many conflicting comments ever."""

    signals: int
    conflicts: int


def add(tx: Transaction, subject: Subject, drift: Drift, *, schema_version: str) -> bool:
    """Insert a signal; return False if this one was observed before."""
    return (
        tx.run(
            """
            with kept as (
              insert into persona_drift (id, subject_id, generation, drift_id, signal_kind, triggers_alert,
                                         schema_version, prior_kind, prior_id, current_kind, current_id, observed_at)
              values (:id, :subject, :generation, :drift_id, :signal_kind, :alert, :schema, :prior_kind, :prior_id,
                      :current_kind, :current_id, :observed_at)
              on conflict (signal_kind, current_id) do nothing returning id
            )
            insert into persona_drift_contents (drift_id, contents) select id, cast(:contents as jsonb) from kept
            """,
            id=drift.id,
            subject=subject.id,
            generation=subject.generation,
            drift_id=drift.drift_id,
            signal_kind=drift.signal_kind,
            alert=drift.triggers_alert,
            schema=schema_version,
            prior_kind=drift.prior[0],
            prior_id=drift.prior[1],
            current_kind=drift.current[0],
            current_id=drift.current[1],
            observed_at=drift.observed_at,
            contents=json.dumps(dict(drift.contents), ensure_ascii=False),
        )
        == 1
    )


def count_since(tx: Transaction, subject_id: UUID, span: timedelta) -> int:
    """Return the number of a person's signals within a span up to now."""
    number: int = tx.value(
        "select count(*) from visible_drift where subject_id = :subject and observed_at > now() - :span",
        subject=subject_id,
        span=span,
    )
    return number


def recent(tx: Transaction, subject_id: UUID, span: timedelta) -> Recent:
    """Return the counts that decide whether operators are warned."""
    row = tx.row(
        """
        select count(*) filter (where observed_at > now() - :span) as signals,
               count(*) filter (where signal_kind = 'feedback_conflict') as conflicts
        from visible_drift where subject_id = :subject
        """,
        subject=subject_id,
        span=span,
    )
    assert row is not None  # noqa: S101 # an aggregate has one row
    return Recent(**row)


def ids_of(tx: Transaction, subject: Subject) -> list[UUID]:
    """Return the ids of all signals of a person, hidden or not."""
    rows = tx.rows(
        "select id from persona_drift where subject_id = :subject and generation = :generation order by id",
        subject=subject.id,
        generation=subject.generation,
    )
    return [row["id"] for row in rows]


def grades(tx: Transaction, subject_id: UUID, object_ref: str, *, since: datetime) -> list[Grade]:
    """Return a person's feedback on one object since a time, oldest first."""
    rows = tx.rows(
        """
        select id, recorded_at as at, coalesce(rating_word, rating::text) as rating, comment
        from visible_feedback where subject_id = :subject and related_object_ref = :ref and recorded_at >= :since
        order by recorded_at, id
        """,
        subject=subject_id,
        ref=object_ref,
        since=since,
    )
    return [Grade(**row) for row in rows]


def of_conversation(tx: Transaction, subject: Subject, conversation_id: UUID, *, through: int) -> list[UUID]:
    """Return the signals that compare something in the forgotten part of a conversation."""
    rows = tx.rows(
        """
        with gone as (
          select id from feedback where conversation_id = :conversation and at_seq <= :through
          union select id from thread_notes where conversation_id = :conversation and at_seq <= :through
        )
        select d.id from persona_drift d
        where d.subject_id = :subject and (d.prior_id in (select id from gone) or d.current_id in (select id from gone))
        """,
        subject=subject.id,
        conversation=conversation_id,
        through=through,
    )
    return [row["id"] for row in rows]


def comparing(tx: Transaction, subject: Subject, ids: Sequence[UUID]) -> list[UUID]:
    """Return the signals that compare one of these pieces of feedback or notes."""
    rows = tx.rows(
        """
        select id from persona_drift
        where subject_id = :subject and (prior_id = any(cast(:ids as uuid[])) or current_id = any(cast(:ids as uuid[])))
        """,
        subject=subject.id,
        ids=list(ids),
    )
    return [row["id"] for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """How many signals of one kind there were in a week; no person, no object."""

    week: datetime
    signal_kind: SignalKind
    signals: int
    alerts: int
    people: int


def report(tx: Transaction, *, weeks: int) -> Sequence[Reported]:
    """Return the signals of all people by week and kind, newest week first, for operators."""
    rows = tx.rows(
        """
        select date_trunc('week', observed_at) as week, signal_kind, count(*) as signals,
               count(*) filter (where triggers_alert) as alerts, count(distinct subject_id) as people
        from visible_drift where observed_at > date_trunc('week', now()) - make_interval(weeks => :weeks)
        group by 1, 2 order by 1 desc, 2
        """,
        weeks=weeks,
    )
    return [Reported(**row) for row in rows]


def end_forgotten(tx: Transaction, subject: Subject, forgotten: Forgotten) -> Mapping[str, Sequence[UUID]]:
    """Return the signals that compare something that is about to be forgotten: they end with it."""
    gone = [id_ for kind in ("feedback", "thread_note") for id_ in forgotten.hidden.get(kind, ())]
    found = comparing(tx, subject, gone) if gone else []
    if forgotten.conversation_id is not None and forgotten.scope in ("conversation", "clear"):
        found += of_conversation(tx, subject, forgotten.conversation_id, through=forgotten.through)
    return {"drift": found} if found else {}
