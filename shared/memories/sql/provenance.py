"""SQL for the source messages of memories (LT-02, MC-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from shared.conversations.sql import conversations
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

SourceRole: TypeAlias = Literal["user", "assistant", "tool", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source message of a memory, with the supporting quote (LT-02)."""

    message_id: UUID
    conversation_id: UUID
    role: SourceRole
    turn: int
    session: int
    quote: str | None
    quote_start: int | None
    quote_end: int | None
    spoken_at: datetime
    conversation_title: str | None = None


def sources_with_titles(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Source]]:
    """Return `sources` with conversation titles, for display to people."""
    found = sources(tx, memory_ids)
    titles = conversations.titles(tx, {one.conversation_id for several in found.values() for one in several})
    return {
        id_: [replace(one, conversation_title=titles.get(one.conversation_id)) for one in several]
        for id_, several in found.items()
    }


def sources(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Source]]:
    """Return the visible source messages of each memory, with quotes (MC-16).

    For memories learned from feedback these are the rated messages. Messages are looked up by key in a separate step,
    because the planner could otherwise choose a join whose cost grows with all of the person's data.
    """
    rows = tx.rows(
        """
        with evidence as materialized (
          select derived_id, source_id as message_id, quote_start, quote_end from visible_lineage
          where derived_kind = 'memory' and derived_id = any(:ids) and source_kind = 'message' and not context
          union all
          select distinct l.derived_id, f.message_id, cast(null as integer), cast(null as integer)
          from visible_lineage l
          join visible_preference_signals p on l.source_kind = 'signal' and p.id = l.source_id
          join visible_feedback f on f.id = p.feedback_id
          where l.derived_kind = 'memory' and l.derived_id = any(:ids)
        ), said as materialized (
          select id, conversation_id, seq, role, turn, session, spoken_at, text from visible_messages
          where id = any(array(select message_id from evidence))
        )
        select e.derived_id, m.id, m.conversation_id, m.role, m.turn, m.session, m.spoken_at,
               e.quote_start, e.quote_end,
               case when e.quote_start is not null
                    then substring(m.text from e.quote_start + 1 for e.quote_end - e.quote_start) end as quote
        from evidence e join said m on m.id = e.message_id
        order by m.spoken_at, m.seq
        """,
        ids=list(memory_ids),
    )
    found: dict[UUID, list[Source]] = {memory_id: [] for memory_id in memory_ids}
    for row in rows:
        found[row["derived_id"]].append(
            Source(
                message_id=row["id"],
                conversation_id=row["conversation_id"],
                role=row["role"],
                turn=row["turn"],
                session=row["session"],
                quote=row["quote"],
                quote_start=row["quote_start"],
                quote_end=row["quote_end"],
                spoken_at=row["spoken_at"],
            )
        )
    return found


def already_learned(tx: Transaction, subject: Subject, message_ids: Sequence[UUID]) -> set[str]:
    """Return the texts already learned from these messages, so that repeating a turn adds nothing."""
    rows = tx.rows(
        """
        select distinct m.text from lineage l join visible_memories m on m.id = l.derived_id
        where l.derived_kind = 'memory' and l.source_kind = 'message' and l.source_id = any(:ids)
          and not l.context and m.subject_id = :subject
        """,
        ids=list(message_ids),
        subject=subject.id,
    )
    return {row["text"] for row in rows}
