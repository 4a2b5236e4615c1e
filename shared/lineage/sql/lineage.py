"""Lineage: the sources of derived items. One table serves explanation, cascade, re-derivation and export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

Edge: TypeAlias = Literal["text_from", "supported_by"]
Items: TypeAlias = dict[str, list[UUID]]
"""Item ids by kind."""
PlacedTurn: TypeAlias = tuple[UUID, int]
"""A conversation id and the number of a turn in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """One edge: `derived` was made from `source`. The quote is half-open character offsets in the source."""

    derived_kind: str
    derived_id: UUID
    source_kind: str
    source_id: UUID
    edge: Edge = "text_from"
    quote_start: int | None = None
    quote_end: int | None = None
    context: bool = False
    """Whether the source was only shown to a model; its wording may still appear in the result."""


def add(tx: Transaction, subject: Subject, edges: Sequence[Derivation]) -> int:
    """Record edges; return how many were new or changed. An edge of an only shown source can become evidence."""
    if not edges:
        return 0
    return tx.run(
        """
        insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context,
                             subject_id, generation)
        select derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context, :subject,
               :generation
        from jsonb_to_recordset(:edges) as e(derived_kind text, derived_id uuid, source_kind text, source_id uuid,
                                             edge text, quote_start integer, quote_end integer, context boolean)
        on conflict (derived_kind, derived_id, source_kind, source_id) do update
          set context = false, quote_start = excluded.quote_start, quote_end = excluded.quote_end
          where lineage.context and not excluded.context
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


def derived_text(tx: Transaction, sources: Mapping[str, Sequence[UUID]]) -> Items:
    """Return all items whose wording may contain one of the sources, over any number of steps."""
    pairs = [(kind, item) for kind, items in sources.items() for item in items]
    if not pairs:
        return {}
    rows = tx.rows(
        """
        with recursive reached(kind, id) as (
          select l.derived_kind, l.derived_id from lineage l
          join unnest(cast(:kinds as text[]), cast(:ids as uuid[])) as s(kind, id)
            on l.source_kind = s.kind and l.source_id = s.id
          where l.edge = 'text_from'
          union
          select l.derived_kind, l.derived_id from reached r
          join lineage l on l.source_kind = r.kind and l.source_id = r.id and l.edge = 'text_from'
        )
        select kind, id from reached
        """,
        kinds=[kind for kind, _ in pairs],
        ids=[item for _, item in pairs],
    )
    found: Items = {}
    for row in rows:
        found.setdefault(row["kind"], []).append(row["id"])
    return found


def evidence(tx: Transaction, memory_ids: Sequence[UUID]) -> list[Derivation]:
    """Return the evidence of memories: their source messages with quotes, without those only shown to a model."""
    rows = tx.rows(
        """
        select l.derived_kind, l.derived_id, l.source_kind, l.source_id, l.edge, l.quote_start, l.quote_end, l.context
        from visible_lineage l join visible_messages m on m.id = l.source_id
        where l.derived_kind = 'memory' and l.derived_id = any(:ids) and l.source_kind = 'message' and not l.context
        order by l.source_id
        """,
        ids=list(memory_ids),
    )
    return [Derivation(**row) for row in rows]


def versions_by_hand(tx: Transaction, memory_id: UUID) -> list[UUID]:
    """Return a memory and the versions it was edited from, newest first; to the person these are one memory."""
    rows = tx.rows(
        """
        with recursive version(id, place) as (
          select cast(:id as uuid), 0
          union
          select m.supersedes, v.place + 1 from version v
          join memories m on m.id = v.id
          join lineage l on l.derived_kind = 'memory' and l.derived_id = m.id and l.source_kind = 'memory'
            and l.source_id = m.supersedes and l.edge = 'text_from' and not l.context
        )
        select id from version order by place
        """,
        id=memory_id,
    )
    return [row["id"] for row in rows]


def surviving_turns(
    tx: Transaction, memory_ids: Sequence[UUID], *, conversation_id: UUID | None = None, through: int = 0
) -> list[PlacedTurn]:
    """Return the turns that still support hidden memories, without the forgotten part of a conversation.

    Hidden turns are included: the forget that hides them may be undone before the memories are derived again.
    """
    if not memory_ids:
        return []
    rows = tx.rows(
        """
        select distinct m.conversation_id, m.turn from lineage l
        join messages m on l.source_kind = 'message' and m.id = l.source_id
        where l.derived_kind = 'memory' and l.derived_id = any(:memories) and m.learn and not l.context
          and (m.conversation_id is distinct from cast(:conversation as uuid) or m.seq > :through)
        """,
        memories=list(memory_ids),
        conversation=conversation_id,
        through=through,
    )
    return sorted((row["conversation_id"], row["turn"]) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The items erased with messages of one turn, including the messages, and the turns that still support them.

    `preferences`: whether other feedback still supports an erased preference.
    """

    conversation_id: UUID
    items: Items
    survivors: tuple[PlacedTurn, ...]
    preferences: bool


def taken_with_messages(
    tx: Transaction, subject: Subject, message_ids: Sequence[UUID], *, whole_turn: bool, learned: Sequence[str]
) -> Taken | None:
    """Return all items made from messages of one turn, and those learned from any message of that turn.

    None if the first message is not this person's, was erased, or belongs to an older generation. Call it under the
    fence with the current `subject`. One statement, because the fence is held meanwhile.

    Args:
        whole_turn: whether all messages of the turn are erased.
        learned: the kinds erased together with any message of their turn, unless the turn was only shown for them.
    """
    rows = tx.rows(
        """
        with recursive turn as (
          select m.id, m.conversation_id, m.turn, :whole or m.id = any(:ids) as goes
          from subjects s
          join messages named on named.id = :first and named.subject_id = s.id and named.generation = s.generation
          join messages m on m.conversation_id = named.conversation_id and m.turn = named.turn
          where s.id = :subject and s.generation = :generation
        ), reached(kind, id, goes) as (
          select l.derived_kind, l.derived_id, turn.goes from turn
          join lineage l on l.source_kind = 'message' and l.source_id = turn.id and l.edge = 'text_from'
          -- What feedback on a message taught is not learned from its turn: it goes with that message only.
          where turn.goes or (not l.context and l.derived_kind <> 'feedback')
          union
          -- What was said of a memory, or made from it, goes with it.
          select l.derived_kind, l.derived_id, r.goes or r.kind = any(:learned) from reached r
          join lineage l on l.source_kind = r.kind and l.source_id = r.id and l.edge = 'text_from'
        ), gone as (
          select distinct kind, id from reached where goes or kind = any(:learned)
        ), survivors as (  -- as in `surviving_turns`
          select distinct m.conversation_id, m.turn from lineage l
          join messages m on l.source_kind = 'message' and m.id = l.source_id
          where l.derived_kind = 'memory' and l.derived_id = any(array(select id from gone where kind = 'memory'))
            and m.learn and not l.context
            and not exists (select from turn t where t.conversation_id = m.conversation_id and t.turn = m.turn)
        )
        select 'message' as kind, id, conversation_id, turn from turn where goes
        union all select kind, id, null, null from gone
        union all select 'survivor', null, conversation_id, turn from survivors
        union all select 'other feedback', null, null, null where exists (
          select from gone g join lineage l on l.derived_kind = 'memory' and l.derived_id = g.id
            and l.source_kind = 'signal'
          where g.kind = 'memory' and not exists (select from gone s where s.kind = 'signal' and s.id = l.source_id))
        """,
        first=message_ids[0],
        ids=list(message_ids),
        whole=whole_turn,
        learned=list(learned),
        subject=subject.id,
        generation=subject.generation,
    )
    if not rows:
        return None
    items: Items = {}
    for row in rows:
        if row["kind"] not in ("survivor", "other feedback"):
            items.setdefault(row["kind"], []).append(row["id"])
    return Taken(
        conversation_id=next(row["conversation_id"] for row in rows if row["kind"] == "message"),
        items=items,
        survivors=tuple(sorted((row["conversation_id"], row["turn"]) for row in rows if row["kind"] == "survivor")),
        preferences=any(row["kind"] == "other feedback" for row in rows),
    )


def forget_items(tx: Transaction, operation_id: UUID) -> int:
    """Delete all edges of the items an operation hid; return how many."""
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

    The cost grows with the person's memories, not with the conversation, because the fence is held meanwhile.
    """
    rows = tx.rows(
        """
        with recursive reached(id) as (
          (select l.derived_id from lineage l join messages m on m.id = l.source_id
           where l.subject_id = :subject and l.derived_kind = 'memory' and l.source_kind = 'message'
             and l.edge = 'text_from' and m.conversation_id = :conversation
           union
           select l.derived_id from preference_signals p
           join lineage l on l.source_kind = 'signal' and l.source_id = p.id and l.derived_kind = 'memory'
           where p.conversation_id = :conversation)
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
    """Delete the edges of items made from the forgotten part of a conversation; return how many."""
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
    """Delete the edges announced for items that were never created."""
    tx.run(
        """
        delete from lineage l using vector_refs v
        where v.pk = any(:keys) and l.derived_kind = v.item_kind and l.derived_id = v.item_id
          and not exists (select from memories m where m.id = v.item_id)
          and not exists (select from episodes e where e.id = v.item_id)
        """,
        keys=list(keys),
    )
