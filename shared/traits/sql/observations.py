"""What messages, memories and feedback show of a person's behaviors (TR-02)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import null, select

from shared.kernel.database import Row, Transaction
from shared.kernel.subjects import Subject
from shared.traits.rules.types import Context, Form, Observation
from shared.traits.sql.tables import visible_trait_observations

AS_DERIVED: Final = select(
    visible_trait_observations.c.id,
    visible_trait_observations.c.trait_key.label("label"),
    null().label("content"),
    visible_trait_observations.c.observed_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""

SourceKind: TypeAlias = Literal["message", "memory", "feedback"]

ITEM: Final = "observation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What an observation is read from: a message, a memory or feedback, its place in a conversation, and its time."""

    kind: SourceKind
    id: UUID
    conversation_id: UUID | None
    at_seq: int | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A behavior that a source shows, before it is stored; `also`: other messages it was measured on."""

    id: UUID
    source: Source
    key: str
    shows: bool
    form: Form
    context: Context
    sure: float = 1.0
    also: tuple[UUID, ...] = ()


def add(tx: Transaction, subject: Subject, shown: Iterable[Shown]) -> list[UUID]:
    """Store observations, with an edge to each source; one is kept of a source and behavior. Return the new ids."""
    rows = tx.rows(
        """
        with shown as (
          select * from jsonb_to_recordset(:shown) as o(id uuid, source_kind text, source_id uuid, conversation_id uuid,
            at_seq bigint, key text, shows boolean, form text, context text, sure double precision, at timestamptz,
            also uuid[])
        ), kept as (
          insert into trait_observations (id, subject_id, generation, conversation_id, at_seq, source_kind, source_id,
                                          trait_key, shows, form, context, sure, observed_at)
          select id, :subject, :generation, conversation_id, at_seq, source_kind, source_id, key, shows, form, context,
                 sure, at
          from shown
          on conflict (source_id, trait_key) do nothing
          returning id, source_kind, source_id
        ), linked as (
          insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, subject_id, generation)
          select 'observation', id, source_kind, source_id, 'text_from', :subject, :generation from kept
          union all
          select 'observation', k.id, 'message', m.id, 'text_from', :subject, :generation
          from kept k join shown s on s.id = k.id, unnest(s.also) as m(id) where m.id <> k.source_id
        )
        select id from kept
        """,
        shown=json.dumps(
            [
                {
                    "id": str(one.id),
                    "source_kind": one.source.kind,
                    "source_id": str(one.source.id),
                    "conversation_id": str(one.source.conversation_id) if one.source.conversation_id else None,
                    "at_seq": one.source.at_seq,
                    "key": one.key,
                    "shows": one.shows,
                    "form": one.form,
                    "context": one.context,
                    "sure": round(one.sure, 3),
                    "at": one.source.at.isoformat(),
                    "also": [str(message) for message in one.also],
                }
                for one in shown
            ]
        ),
        subject=subject.id,
        generation=subject.generation,
    )
    return [row["id"] for row in rows]


def visible(tx: Transaction, subject: Subject) -> list[Observation]:
    """Return all visible observations of a person that count.

    A memory that its person paused shows nothing. What a message shows that the memory made of it shows as well is one
    piece of evidence: the memory's, which its person stands by, once a reflection has counted it. Messages that only
    repeat a memory are evidence of their own.
    """
    rows = tx.rows(
        """
        with counted as (
          select o.* from visible_trait_observations o
          where o.subject_id = :subject and o.generation = :generation
            and not (o.source_kind = 'memory' and exists (
              select from memories m where m.id = o.source_id and m.disabled))
        )
        select id, trait_key as key, shows, form, context, coalesce(conversation_id, source_id) as occasion,
               sure, observed_at as at, cycle_id as cycle
        from counted o
        where o.source_kind <> 'message' or not exists (
          select from counted kept
          join lineage l on l.derived_kind = 'memory' and l.derived_id = kept.source_id and l.source_kind = 'message'
          where kept.source_kind = 'memory' and kept.trait_key = o.trait_key and kept.shows = o.shows
            and l.source_id = o.source_id and not l.context and l.edge = 'text_from' and kept.cycle_id is not null)
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return [_observation(row) for row in rows]


def among(
    tx: Transaction, ids: Sequence[UUID], *, subject: Subject, conversation_id: UUID | None, through: int
) -> dict[UUID, str]:
    """Return the observations among these ids, and those in the forgotten part of a conversation, with their keys."""
    rows = tx.rows(
        """
        select id, trait_key from trait_observations where subject_id = :subject and generation = :generation
          and (id = any(:ids) or (conversation_id = cast(:conversation as uuid) and at_seq <= :through))
        """,
        subject=subject.id,
        generation=subject.generation,
        ids=list(ids),
        conversation=conversation_id,
        through=through,
    )
    return {row["id"]: row["trait_key"] for row in rows}


def of_memories(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the observations of these memories themselves."""
    rows = tx.rows(
        "select id from trait_observations where source_kind = 'memory' and source_id = any(:ids)", ids=list(memory_ids)
    )
    return [row["id"] for row in rows]


def beside_memories(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the observations of the messages that support these memories."""
    rows = tx.rows(
        """
        select distinct o.id from lineage l
        join trait_observations o on o.source_kind = 'message' and o.source_id = l.source_id
        where l.derived_kind = 'memory' and l.derived_id = any(:ids) and l.source_kind = 'message' and not l.context
        """,
        ids=list(memory_ids),
    )
    return [row["id"] for row in rows]


def count_new(tx: Transaction, subject: Subject, cycle_id: UUID) -> int:
    """Let a reflection count all visible observations that none has counted; return how many."""
    return tx.run(
        """
        update trait_observations set cycle_id = :cycle where id in (
          select id from visible_trait_observations
          where subject_id = :subject and generation = :generation and cycle_id is null)
        """,
        cycle=cycle_id,
        subject=subject.id,
        generation=subject.generation,
    )


def any_new(tx: Transaction, subject: Subject) -> bool:
    """Return whether some visible observations were not counted by any reflection."""
    found: bool = tx.value(
        """
        select exists (select from visible_trait_observations
          where subject_id = :subject and generation = :generation and cycle_id is null)
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return found


def all_ids(tx: Transaction, subject: Subject) -> list[UUID]:
    """Return all observations of a person, hidden ones too."""
    rows = tx.rows(
        "select id from trait_observations where subject_id = :subject and generation = :generation",
        subject=subject.id,
        generation=subject.generation,
    )
    return [row["id"] for row in rows]


def keys(tx: Transaction, subject: Subject) -> list[str]:
    """Return which behaviors anything was observed of, hidden or not."""
    rows = tx.rows(
        "select distinct trait_key from trait_observations where subject_id = :subject and generation = :generation",
        subject=subject.id,
        generation=subject.generation,
    )
    return [row["trait_key"] for row in rows]


def of_keys(tx: Transaction, subject: Subject, keys: Sequence[str]) -> list[UUID]:
    """Return all observations of these behaviors, hidden ones too."""
    rows = tx.rows(
        """
        select id from trait_observations
        where subject_id = :subject and generation = :generation and trait_key = any(:keys)
        """,
        subject=subject.id,
        generation=subject.generation,
        keys=list(keys),
    )
    return [row["id"] for row in rows]


def _observation(row: Row) -> Observation:
    return Observation(**row)
