"""Where derived things come from: one table for explanation, cascade, re-derivation and export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject

Edge: TypeAlias = Literal["text_from", "supported_by"]
Items: TypeAlias = dict[str, list[UUID]]
"""Items by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """One edge: `derived` came from `source`; the quote is half-open character offsets in the source."""

    derived_kind: str
    derived_id: UUID
    source_kind: str
    source_id: UUID
    edge: Edge = "text_from"
    quote_start: int | None = None
    quote_end: int | None = None
    context: bool = False
    """Whether the source was only shown while deriving; its wording may be in the result all the same."""


def add(tx: Transaction, subject: Subject, edges: Sequence[Derivation]) -> None:
    """Record edges; repeating one changes nothing."""
    if not edges:
        return
    tx.run(
        """
        insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context,
                             subject_id, generation)
        select derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context, :subject,
               :generation
        from jsonb_to_recordset(:edges) as e(derived_kind text, derived_id uuid, source_kind text, source_id uuid,
                                             edge text, quote_start integer, quote_end integer, context boolean)
        on conflict do nothing
        """,
        edges=json.dumps(
            [
                {
                    "derived_kind": edge.derived_kind,
                    "derived_id": str(edge.derived_id),
                    "source_kind": edge.source_kind,
                    "source_id": str(edge.source_id),
                    "edge": edge.edge,
                    "quote_start": edge.quote_start,
                    "quote_end": edge.quote_end,
                    "context": edge.context,
                }
                for edge in edges
            ]
        ),
        subject=subject.id,
        generation=subject.generation,
    )


def derived_text(tx: Transaction, sources: Mapping[str, Sequence[UUID]], *, shown: bool = True) -> Items:
    """Return everything whose wording may contain one of the sources, over any number of steps.

    Args:
        shown: whether what the sources were only shown for counts too; False asks what they are evidence of.
    """
    pairs = [(kind, item) for kind, items in sources.items() for item in items]
    if not pairs:
        return {}
    rows = tx.rows(
        """
        with recursive reached(kind, id) as (
          select l.derived_kind, l.derived_id from lineage l
          join unnest(cast(:kinds as text[]), cast(:ids as uuid[])) as s(kind, id)
            on l.source_kind = s.kind and l.source_id = s.id
          where l.edge = 'text_from' and (:shown or not l.context)
          union
          select l.derived_kind, l.derived_id from reached r
          join lineage l on l.source_kind = r.kind and l.source_id = r.id and l.edge = 'text_from'
        )
        select kind, id from reached
        """,
        shown=shown,
        kinds=[kind for kind, _ in pairs],
        ids=[item for _, item in pairs],
    )
    found: Items = {}
    for row in rows:
        found.setdefault(row["kind"], []).append(row["id"])
    return found


def surviving_turns(
    tx: Transaction, memory_ids: Sequence[UUID], *, conversation_id: UUID | None, turn: int | None, through: int
) -> list[tuple[UUID, int]]:
    """Return the (conversation, turn) pairs that still support hidden memories, the forgotten part left out.

    Hidden ones included: the forget that hides them may be undone before they are derived from again.
    """
    rows = tx.rows(
        """
        select distinct m.conversation_id, m.turn from lineage l
        join messages m on l.source_kind = 'message' and m.id = l.source_id
        where l.derived_kind = 'memory' and l.derived_id = any(:memories) and m.learn and not l.context
          and (m.conversation_id is distinct from cast(:conversation as uuid)
               or (m.seq > :through and m.turn is distinct from cast(:turn as bigint)))
        order by 1, 2
        """,
        memories=list(memory_ids),
        conversation=conversation_id,
        turn=turn,
        through=through,
    )
    return [(row["conversation_id"], row["turn"]) for row in rows]


def forget_items(tx: Transaction, operation_id: UUID) -> int:
    """Delete every edge of what an operation hid."""
    return tx.run(
        """
        delete from lineage l using hides h
        where h.op_id = :operation
          and ((l.derived_kind = h.kind and l.derived_id = h.item_id)
            or (l.source_kind = h.kind and l.source_id = h.item_id))
        """,
        operation=operation_id,
    )


def memories_from_conversation(tx: Transaction, subject: Subject, conversation_id: UUID) -> list[UUID]:
    """Return the memories whose wording may contain a message of a conversation.

    Grows with the person's memories, not with the conversation's messages: accepting holds the fence.
    """
    rows = tx.rows(
        """
        with recursive reached(id) as (
          select l.derived_id from lineage l join messages m on m.id = l.source_id
          where l.subject_id = :subject and l.derived_kind = 'memory' and l.source_kind = 'message'
            and l.edge = 'text_from' and m.conversation_id = :conversation
          union
          select l.derived_id from reached r
          join lineage l on l.source_kind = 'memory' and l.source_id = r.id and l.derived_kind = 'memory'
            and l.edge = 'text_from'
        )
        select id from reached
        """,
        subject=subject.id,
        conversation=conversation_id,
    )
    return [row["id"] for row in rows]


def forget_conversation(tx: Transaction, conversation_id: UUID, *, through: int) -> int:
    """Delete the edges of what lived inside the forgotten part of a conversation."""
    return tx.run(
        """
        delete from lineage l using vector_refs v
        where v.conversation_id = :conversation and v.first_seq <= :through
          and l.derived_kind = v.item_kind and l.derived_id = v.item_id
        """,
        conversation=conversation_id,
        through=through,
    )


def forget_unborn(tx: Transaction, keys: Sequence[UUID]) -> None:
    """Delete the edges announced for items that never came to be."""
    tx.run(
        """
        delete from lineage l using vector_refs v
        where v.pk = any(:keys) and l.derived_kind = v.item_kind and l.derived_id = v.item_id
          and not exists (select from memories m where m.id = v.item_id)
          and not exists (select from episodes e where e.id = v.item_id)
        """,
        keys=list(keys),
    )
