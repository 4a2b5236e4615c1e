"""Reflections: when they ran, why, and what they counted (TR-09)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import TRAIT_REFLECT
from shared.traits.rules.types import Cycle

Trigger: TypeAlias = Literal["importance", "daily", "session", "request", "import"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """One reflection; `counts` are numbers by what they count."""

    id: UUID
    trigger: Trigger
    reason: str | None
    at: datetime
    counts: Mapping[str, int]


def add(
    tx: Transaction,
    subject: Subject,
    cycle: Cycle,
    *,
    trigger: Trigger,
    reason: str | None,
    counts: Mapping[str, int],
) -> None:
    tx.run(
        """
        insert into reflections (id, subject_id, generation, trigger, reason, at, counts)
        values (:id, :subject, :generation, :trigger, :reason, :at, cast(:counts as jsonb))
        """,
        id=cycle.id,
        subject=subject.id,
        generation=subject.generation,
        trigger=trigger,
        reason=reason,
        at=cycle.at,
        counts=json.dumps(counts),
    )


def cycles(tx: Transaction, subject: Subject) -> list[Cycle]:
    """Return all reflections of a person, as the rules need them."""
    rows = tx.rows(
        """
        select id, at, not counts ? 'ungrouped' as grouped from visible_reflections
        where subject_id = :subject and generation = :generation
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return [Cycle(**row) for row in rows]


def page(tx: Transaction, subject_id: UUID, *, after: UUID | None, limit: int) -> Sequence[Reflection]:
    """Return a page of reflections, newest first."""
    rows = tx.rows(
        """
        select id, trigger, reason, at, counts from visible_reflections
        where subject_id = :subject and (cast(:after as uuid) is null or id < :after)
        order by id desc limit :limit
        """,
        subject=subject_id,
        after=after,
        limit=limit,
    )
    return [Reflection(**row) for row in rows]


def is_requested(tx: Transaction, subject_id: UUID) -> bool:
    """Return whether a reflection that was asked for waits for a person."""
    found: bool = tx.value(
        """
        select exists (select from outbox where kind = :kind and dedupe_key = :person and state = 'ready'
          and payload ->> 'trigger' = 'request')
        """,
        kind=TRAIT_REFLECT,
        person=str(subject_id),
    )
    return found


def importance_since(tx: Transaction, subject: Subject) -> int:
    """Return the importance of all memories learned since a reflection last looked, added up (TR-09)."""
    total: int = tx.value(
        """
        select coalesce(sum(importance), 0) from visible_memories
        where subject_id = :subject and generation = :generation and method is distinct from 'document'
          and created_at > coalesce(greatest(
            (select max(at) from visible_reflections where subject_id = :subject and generation = :generation),
            (select looked_at from trait_questions where subject_id = :subject and generation = :generation)
          ), '-infinity')
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return total


def note_looked(tx: Transaction, subject: Subject, at: datetime) -> None:
    """Note that a reflection looked at a person, whether or not it found anything; the daily one is a day later."""
    tx.run(
        """
        insert into trait_questions (subject_id, generation, looked_at) values (:subject, :generation, :at)
        on conflict (subject_id, generation) do update set looked_at = excluded.looked_at
        """,
        subject=subject.id,
        generation=subject.generation,
        at=at,
    )


def people_due(tx: Transaction, *, after: UUID | None, limit: int) -> list[UUID]:
    """Return people to reflect on today: evidence waits for a day, or traits may decay or end (TR-09)."""
    rows = tx.rows(
        """
        with waiting as (
          select distinct subject_id as id from trait_observations
            where cycle_id is null and recorded_at < now() - interval '24 hours'
          union
          select distinct t.subject_id from traits t
            where t.stage <> 'dissolved' and t.updated_at < now() - interval '24 hours'
        )
        select id from waiting w
        where (cast(:after as uuid) is null or id > :after)
          and not exists (select from trait_questions q where q.subject_id = w.id
                            and q.looked_at > now() - interval '24 hours')
        order by id limit :limit
        """,
        after=after,
        limit=limit,
    )
    return [row["id"] for row in rows]
