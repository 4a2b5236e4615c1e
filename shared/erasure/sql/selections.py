"""Items a person selected to forget, and the rest of partly forgotten items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import exists, select

from shared.conversations.sql import search_terms
from shared.kernel.database import Transaction
from shared.kernel.items import kind_of
from shared.kernel.spans import Span, moved, touches
from shared.lineage.sql.do_not_learn import WHOLE_MESSAGE
from shared.lineage.sql.lineage import Derivation


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnmate:
    """An item made from a message. `quote` holds half-open offsets in the message; None means all of it.

    Of a visible memory, `text` is what it says, `said` what its message says, and `method` how it was made.
    """

    message_id: UUID
    kind: str
    id: UUID
    quote: Span | None
    context: bool
    text: str | None
    said: str | None
    method: str | None


_TEXTS: Final = {
    "message": "select id, text, 0 as version from visible_messages where subject_id = :subject and id = any(:ids)",
    "memory": "select id, text, version from visible_memories where subject_id = :subject and id = any(:ids)",
}


def texts(tx: Transaction, subject_id: UUID, kind: str, ids: Sequence[UUID]) -> dict[UUID, tuple[str, int]]:
    """Return text and version of the visible messages or memories among these ids.

    Not every role may read a message's version; it is 0 here, and a change shows in the text.
    """
    rows = tx.rows(_TEXTS[kind], subject=subject_id, ids=list(ids))
    return {row["id"]: (row["text"], row["version"]) for row in rows}


def made_of_turns(tx: Transaction, message_ids: Sequence[UUID]) -> list[Turnmate]:
    """Return the items made in one step from the turns of these messages, with the message each was made from."""
    rows = tx.rows(
        """
        select l.source_id, l.derived_kind, l.derived_id, l.quote_start, l.quote_end, l.context, v.text, v.method,
               said.text as said
        from (select distinct conversation_id, turn from messages where id = any(:ids)) as t
        join messages m on m.conversation_id = t.conversation_id and m.turn = t.turn
        join lineage l on l.source_kind = 'message' and l.source_id = m.id and l.edge = 'text_from'
        left join lateral (
          select text, method from visible_memories where l.derived_kind = 'memory' and id = l.derived_id offset 0
        ) v on true
        left join lateral (select text from visible_messages where id = m.id offset 0) said on true
        """,
        ids=list(message_ids),
    )
    return [
        Turnmate(
            message_id=row["source_id"],
            kind=row["derived_kind"],
            id=row["derived_id"],
            quote=None if row["quote_start"] is None else (row["quote_start"], row["quote_end"]),
            context=row["context"],
            text=row["text"],
            said=row["said"],
            method=row["method"],
        )
        for row in rows
    ]


def learned_when_shown(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the memories a model made while it was shown one of these."""
    rows = tx.rows(
        """
        select distinct derived_id as id from lineage
        where derived_kind = 'memory' and source_kind = 'memory' and source_id = any(:ids) and context
        """,
        ids=list(memory_ids),
    )
    return [row["id"] for row in rows]


def hand_over(tx: Transaction, old_id: UUID, new_id: UUID) -> None:
    """Move the lineage of memories the person reworded by hand to another source memory."""
    tx.run(
        """
        update lineage set source_id = :new
        where derived_kind = 'memory' and source_kind = 'memory' and source_id = :old and not context
        """,
        old=old_id,
        new=new_id,
    )


def sources_of(tx: Transaction, memory_id: UUID) -> list[Derivation]:
    """Return all edges of a memory to its sources, also hidden ones."""
    rows = tx.rows(
        """
        select derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context from lineage
        where derived_kind = 'memory' and derived_id = :id order by source_kind, source_id
        """,
        id=memory_id,
    )
    return [Derivation(**row) for row in rows]


def quotes_of(tx: Transaction, memory_ids: Sequence[UUID]) -> list[tuple[UUID, UUID, Span | None]]:
    """Return the messages that support these memories, as (memory, message, quote)."""
    rows = tx.rows(
        """
        select derived_id, source_id, quote_start, quote_end from lineage
        where derived_kind = 'memory' and derived_id = any(:ids) and source_kind = 'message' and not context
        """,
        ids=list(memory_ids),
    )
    return [
        (
            row["derived_id"],
            row["source_id"],
            None if row["quote_start"] is None else (row["quote_start"], row["quote_end"]),
        )
        for row in rows
    ]


def turns_of(tx: Transaction, message_ids: Sequence[UUID]) -> list[tuple[UUID, int]]:
    """Return the turns of these messages."""
    rows = tx.rows(
        "select distinct conversation_id, turn from messages where id = any(:ids) order by conversation_id, turn",
        ids=list(message_ids),
    )
    return [(row["conversation_id"], row["turn"]) for row in rows]


def conversations_of_summaries(tx: Transaction, summary_ids: Sequence[UUID]) -> list[UUID]:
    """Return the conversations of these summaries."""
    rows = tx.rows("select distinct conversation_id from summaries where id = any(:ids)", ids=list(summary_ids))
    return sorted(row["conversation_id"] for row in rows)


@contextmanager
def shown(tx: Transaction, kind: str, item_id: UUID) -> Iterator[None]:
    """Lift all hides of an item inside a block of this transaction.

    Only this transaction sees it: call this under the closed fence, and do not commit inside.
    """
    rows = tx.rows("delete from hides where kind = :kind and item_id = :id returning op_id", kind=kind, id=item_id)
    yield
    tx.run(
        """
        insert into hides (kind, item_id, op_id)
        select :kind, :id, op_id from unnest(cast(:operations as uuid[])) as h(op_id)
        """,
        kind=kind,
        id=item_id,
        operations=[row["op_id"] for row in rows],
    )


def unhide(tx: Transaction, operation_id: UUID, kind: str, item_id: UUID) -> None:
    """Remove one operation's hide of an item."""
    tx.run(
        "delete from hides where op_id = :operation and kind = :kind and item_id = :id",
        operation=operation_id,
        kind=kind,
        id=item_id,
    )


def is_left(tx: Transaction, kind: str, item_id: UUID) -> bool:
    """Return whether an item's row exists, visible or not."""
    found: bool = tx.value(select(exists().where(kind_of(kind).table.c.id == item_id)))
    return found


def is_withdrawn(tx: Transaction, kind: str, item_id: UUID) -> bool:
    """Return whether an item is hidden because its person withdrew their consent to it."""
    return bool(
        tx.value(
            """
            select exists (select from hides h join operations o on o.id = h.op_id
                           where h.kind = :kind and h.item_id = :id and o.scope = 'revocation')
            """,
            kind=kind,
            id=item_id,
        )
    )


def reword(tx: Transaction, subject_id: UUID, message_id: UUID, text: str, without: Sequence[Span]) -> None:
    """Write a new version of a message's text, and move every quote to the same words.

    The message's metadata and hint at a task may repeat the removed words: they go, and the copies in memories.

    Args:
        without: offsets of the removed spans in the old text; evidence from them is dropped.
    """
    tx.run(
        """
        update message_contents set text = :text, metadata = null, task_hint = null, version = version + 1
        where subject_id = :subject and message_id = :id
        """,
        text=text,
        subject=subject_id,
        id=message_id,
    )
    tx.run(
        """
        update memory_contents set metadata = null, task_hint = null where subject_id = :subject and memory_id in (
          select derived_id from lineage where derived_kind = 'memory' and source_kind = 'message' and source_id = :id)
        """,
        subject=subject_id,
        id=message_id,
    )
    search_terms.forget_messages(tx, subject_id, [message_id])  # indexing writes the new terms
    _move_quotes(tx, message_id, without)
    _move_spans(tx, message_id, without)


def _move_quotes(tx: Transaction, message_id: UUID, without: Sequence[Span]) -> None:
    rows = tx.rows(
        """
        select derived_kind, derived_id, edge, quote_start, quote_end from lineage
        where source_kind = 'message' and source_id = :id and (quote_start is not null or edge = 'supported_by')
        """,
        id=message_id,
    )
    for row in rows:
        start, end = row["quote_start"], row["quote_end"]
        lost = start is None or touches(start, end, without)
        if lost and row["edge"] == "text_from":
            continue  # the derived item is erased together with the edge
        tx.run(
            """
            delete from lineage
            where derived_kind = :kind and derived_id = :derived and source_kind = 'message' and source_id = :id
            """
            if lost
            else """
            update lineage set quote_start = :start, quote_end = :end
            where derived_kind = :kind and derived_id = :derived and source_kind = 'message' and source_id = :id
            """,
            kind=row["derived_kind"],
            derived=row["derived_id"],
            id=message_id,
            **({} if lost else {"start": moved(start, without), "end": moved(end, without)}),
        )


def _move_spans(tx: Transaction, message_id: UUID, without: Sequence[Span]) -> None:
    rows = tx.rows(
        "delete from unlearnable_spans where message_id = :id returning quote_start, quote_end, op_id, subject_id",
        id=message_id,
    )
    for row in rows:
        start, end = moved(row["quote_start"], without), row["quote_end"]
        end = end if end == WHOLE_MESSAGE else moved(end, without)
        if start < end:
            tx.run(
                """
                insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
                values (:id, :start, :end, :operation, :subject) on conflict do nothing
                """,
                id=message_id,
                start=start,
                end=end,
                operation=row["op_id"],
                subject=row["subject_id"],
            )
