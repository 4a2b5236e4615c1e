"""SQL for items derived from one message (MC-16, X-04)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Uuid, any_, bindparam
from sqlalchemy.dialects.postgresql import ARRAY

from shared.kernel.database import Row, Transaction
from shared.kernel.items import kind_of
from shared.outbox.job_kinds import INDEX_EPISODE, LEARN_MEMORY

_MAKES = {INDEX_EPISODE: "episode", LEARN_MEMORY: "memory"}
"""The item kind produced by each job kind whose payload names messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An item derived from a message, over any number of steps.

    `direct`: in one step. `shown_only`: a model saw the message while deriving the item. The quote is half-open
    character offsets in the message.
    """

    kind: str
    id: UUID
    direct: bool
    shown_only: bool
    relation: str
    quote: str | None
    quote_start: int | None
    quote_end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedItem:
    """A visible item: its label within its kind, and its text if it has its own."""

    id: UUID
    label: str
    content: str | None
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """The number of withheld fragments of a category, and the outcome."""

    category: str
    outcome: str
    count: int


def links(tx: Transaction, message_id: UUID) -> list[Link]:
    """Return all items derived from a message, visible or not; read them through `items` before showing them."""
    rows = tx.rows(
        """
        with recursive reached(kind, id, step) as (
          select l.derived_kind, l.derived_id, 1 from visible_lineage l
          where l.source_kind = 'message' and l.source_id = :id
          union
          select l.derived_kind, l.derived_id, 2 from reached r
          join visible_lineage l on l.source_kind = r.kind and l.source_id = r.id and l.edge = 'text_from'
        ), closest as (select kind, id, min(step) as step from reached group by kind, id)
        select c.kind, c.id, c.step = 1 as direct, coalesce(l.context, false) as shown_only,
               coalesce(l.edge, 'text_from') as relation, l.quote_start, l.quote_end,
               case when l.quote_start is not null
                    then substring(m.text from l.quote_start + 1 for l.quote_end - l.quote_start) end as quote
        from closest c
        left join visible_lineage l on l.derived_kind = c.kind and l.derived_id = c.id and l.source_kind = 'message'
          and l.source_id = :id
        left join visible_messages m on m.id = l.source_id
        order by c.id
        """,
        id=message_id,
    )
    return [Link(**row) for row in rows]


def items(tx: Transaction, subject_id: UUID, kind: str, ids: Sequence[UUID]) -> list[DerivedItem]:
    """Return the visible ones among some items of a kind."""
    rows: Sequence[Row] = []
    summary = kind_of(kind).summary
    if ids and summary is not None:
        [view] = summary.get_final_froms()
        wanted = any_(bindparam("ids", list(ids), type_=ARRAY(Uuid)))
        rows = tx.rows(summary.where(view.c.id == wanted, view.c.subject_id == subject_id).order_by(view.c.id))
    return [DerivedItem(**row) for row in rows]


def withheld(tx: Transaction, message_id: UUID) -> list[Withheld]:
    """Return what was withheld from items derived from a message, by category."""
    rows = tx.rows(
        """
        select category, outcome, count from visible_withheld where message_id = :id order by category, outcome
        """,
        id=message_id,
    )
    return [Withheld(**row) for row in rows]


def turn_is_open(tx: Transaction, subject_id: UUID, message_id: UUID) -> bool:
    """Return whether the turn of a message goes on: it is learned from once an answer follows or the session ends."""
    return bool(
        tx.value(
            """
            select c.turn_open and c.turn = m.turn
            from visible_messages m join conversations c on c.id = m.conversation_id
            where m.id = :id and m.subject_id = :subject
            """,
            id=message_id,
            subject=subject_id,
        )
    )


def awaited(tx: Transaction, subject_id: UUID, message_id: UUID) -> list[str]:
    """Return the item kinds that may still be derived from a message: a job is queued, running or to be retried."""
    rows = tx.rows(
        """
        select distinct kind from outbox
        where subject_id = :subject and kind = any(:kinds)
          and payload->'message_ids' @> to_jsonb(cast(:message as text))
        order by kind
        """,
        subject=subject_id,
        kinds=list(_MAKES),
        message=str(message_id),
    )
    return [_MAKES[row["kind"]] for row in rows]
