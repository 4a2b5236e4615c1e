"""Reads the rows of a package from one snapshot, one function per kind of record.

Only visible rows of one person are read. Columns without content that a view omits come from the base table.
"""

# ruff: noqa: S608 # statements are put together from constants of this module

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, literal_column, select

from shared.kernel import items
from shared.kernel.database import Row, Transaction
from shared.kernel.event_log import stream_name
from shared.memories.sql.memories import VISIBLE
from shared.memories.sql.tables import memories as memories_table

REACH: Final = 500
"""Seqs per query: a conversation is read along its index, never sorted as a whole."""


def kinds(tx: Transaction, subject_id: UUID, ids: Sequence[UUID]) -> dict[str, list[UUID]]:
    """Return the visible messages and memories of this person among these ids, by kind."""
    rows = tx.rows(
        """
        select 'message' as kind, id from visible_messages where id = any(:ids) and subject_id = :subject
        union all select 'memory', id from visible_memories where id = any(:ids) and subject_id = :subject
        order by kind, id
        """,
        ids=list(ids),
        subject=subject_id,
    )
    found: dict[str, list[UUID]] = {}
    for row in rows:
        found.setdefault(row["kind"], []).append(row["id"])
    return found


def conversation_ids(tx: Transaction, subject_id: UUID) -> list[UUID]:
    """Return a person's visible conversations, oldest first."""
    rows = tx.rows("select id from visible_conversations where subject_id = :subject order by id", subject=subject_id)
    return [row["id"] for row in rows]


def conversation(tx: Transaction, conversation_id: UUID) -> Row:
    row = tx.row(
        """
        select v.id, v.project_id, v.title, case when v.title is not null then t.at_seq end as title_at_seq, v.remember,
               v.session, v.next_seq, c.turn, c.turn_open, c.turn_has_user, v.cleared_through, c.summary_version,
               v.created_at, v.updated_at
        from visible_conversations v join conversations c on c.id = v.id
        left join conversation_contents t on t.conversation_id = v.id
        where v.id = :id
        """,
        id=conversation_id,
    )
    assert row is not None  # noqa: S101 # listed by the same snapshot
    return row


def erased_conversations(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield erased conversations, of which only the id is left so that new messages are refused."""
    return tx.stream(
        """
        select c.id, c.erased_at from conversations c
        join subjects s on s.id = c.subject_id and s.generation = c.generation
        where c.subject_id = :subject and c.erased_at is not null order by c.id
        """,
        subject=subject_id,
    )


MESSAGE: Final = """
  select m.id, m.conversation_id, m.seq, m.turn, m.session, m.role, m.name, m.text as content, m.task_hint,
         m.client_message_id, m.completed, t.version, m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at
  from visible_messages m join message_contents t on t.message_id = m.id
"""


def messages(tx: Transaction, conversation_id: UUID) -> Iterator[Row]:
    """Yield a conversation's messages in order, each with its never-learn spans and its withheld counts."""
    for after in _reaches(tx, conversation_id):
        yield from _with_marks(
            tx,
            tx.rows(
                f"{MESSAGE} where m.conversation_id = :id and m.seq > :after and m.seq <= :through order by m.seq",
                id=conversation_id,
                after=after,
                through=after + REACH,
            ),
        )


def some_messages(tx: Transaction, ids: Sequence[UUID]) -> Iterator[Row]:
    """Yield some messages, ordered by conversation and seq."""
    return _with_marks(tx, tx.rows(f"{MESSAGE} where m.id = any(:ids) order by m.conversation_id, m.seq", ids=ids))


def _with_marks(tx: Transaction, rows: Sequence[Row]) -> Iterator[Row]:
    ids = [row["id"] for row in rows]
    spans: defaultdict[UUID, list[tuple[int, int]]] = defaultdict(list)
    for one in tx.rows(
        """
        select distinct message_id, quote_start, quote_end from unlearnable_spans where message_id = any(:ids)
        order by message_id, quote_start, quote_end
        """,
        ids=ids,
    ):
        spans[one["message_id"]].append((one["quote_start"], one["quote_end"]))
    withheld: defaultdict[UUID, list[dict[str, Any]]] = defaultdict(list)
    for one in tx.rows(
        """
        select message_id, category, outcome, count from visible_withheld where message_id = any(:ids)
        order by message_id, category, outcome
        """,
        ids=ids,
    ):
        withheld[one["message_id"]].append({name: one[name] for name in ("category", "outcome", "count")})
    for row in rows:
        yield {**row, "never_learn": spans[row["id"]], "withheld": withheld[row["id"]]}


def erased_messages(tx: Transaction, conversation_id: UUID) -> Iterator[Row]:
    """Yield the tombstones of a conversation's erased messages."""
    return tx.stream(
        "select id, seq, turn, erased_at from erased_messages where conversation_id = :id order by seq, id",
        id=conversation_id,
    )


def episodes(tx: Transaction, conversation_id: UUID) -> Iterator[Row]:
    """Yield a conversation's episodes in order, with the text of both sides."""
    for after in _reaches(tx, conversation_id):
        yield from tx.rows(
            """
            select e.id, e.turn, e.first_seq, e.user_message_id, e.assistant_message_id, u.text as user_message,
                   a.text as assistant_message, e.created_at
            from visible_episodes e
            left join visible_messages u on u.id = e.user_message_id and u.conversation_id = e.conversation_id
            left join visible_messages a on a.id = e.assistant_message_id and a.conversation_id = e.conversation_id
            where e.conversation_id = :id and e.first_seq > :after and e.first_seq <= :through
            order by e.first_seq, e.id
            """,
            id=conversation_id,
            after=after,
            through=after + REACH,
        )


def _reaches(tx: Transaction, conversation_id: UUID) -> range:
    row = tx.row("select cleared_through, next_seq from visible_conversations where id = :id", id=conversation_id)
    return range(row["cleared_through"], row["next_seq"], REACH) if row else range(0)


def feedback(tx: Transaction, subject_id: UUID, conversation_id: UUID | None) -> Iterator[Row]:
    """Yield the feedback given in a conversation, or outside any if None."""
    return tx.stream(
        """
        select v.id, v.conversation_id, v.message_id, f.at_seq, v.action, v.rating, v.rating_word,
               v.evidence_ref, v.related_object_ref, v.comment, v.reason, v.recorded_at
        from visible_feedback v join feedback f on f.id = v.id
        where v.subject_id = :subject and v.conversation_id is not distinct from cast(:conversation as uuid)
        order by v.id
        """,
        subject=subject_id,
        conversation=conversation_id,
    )


def signals(tx: Transaction, subject_id: UUID, conversation_id: UUID | None) -> Iterator[Row]:
    """Yield preference signals, of one conversation or of all."""
    return tx.stream(
        """
        select v.id, v.feedback_id, p.conversation_id, p.at_seq, v.action, encode(v.topic, 'hex') as topic, v.label,
               v.language, v.quote, v.recorded_at
        from visible_preference_signals v join preference_signals p on p.id = v.id
        where v.subject_id = :subject
          and (cast(:conversation as uuid) is null or p.conversation_id = cast(:conversation as uuid))
        order by v.id
        """,
        subject=subject_id,
        conversation=conversation_id,
    )


_SUPERSEDES: Final = """(
  with recursive before(id, place) as (
    select m.supersedes, 0
    union
    select b.supersedes, place + 1 from before join memories b on b.id = before.id
    where not exists (select from visible_memories v where v.id = before.id)
  )
  select v.id from before join visible_memories v on v.id = before.id order by place limit 1
)"""
"""The memory that one supersedes once hidden ones in between are erased."""


_M: Final = VISIBLE.subquery("m")
_MEMORIES: Final = (
    select(_M, _M.c.text.label("content"), literal_column(_SUPERSEDES).label("supersedes_id"))
    .add_columns(_M.c.contradicts.label("contradicts_id"), memories_table.c.last_supported_at)
    .join(memories_table, memories_table.c.id == _M.c.id)
    .order_by(_M.c.id)
)
_SOME_MEMORIES: Final = _MEMORIES.where(_M.c.id == any_(bindparam("ids", type_=ARRAY(Uuid))))


def memories(tx: Transaction, subject_id: UUID, ids: Sequence[UUID] | None = None) -> Iterator[Row]:
    """Yield a person's memories, or some of them, oldest first."""
    if ids is None:
        return tx.stream(_MEMORIES, subject=subject_id)
    return tx.stream(_SOME_MEMORIES, subject=subject_id, ids=list(ids))


def _is_visible(kind: str, item: str) -> str:
    return " or ".join(
        f"{kind} = '{name}' and exists (select from {view} v where v.id = {item})"
        for name, view in ((one.name, one.visible) for one in items.kinds() if one.in_lineage)
    )


def lineage(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield every lineage edge between two visible items."""
    return tx.stream(
        f"""
        select l.derived_kind, l.derived_id, l.source_kind, l.source_id, l.edge, l.quote_start, l.quote_end, l.context
        from visible_lineage l
        where l.subject_id = :subject and ({_is_visible("l.derived_kind", "l.derived_id")})
          and ({_is_visible("l.source_kind", "l.source_id")})
        order by l.derived_kind, l.derived_id, l.source_kind, l.source_id
        """,
        subject=subject_id,
    )


HISTORY: Final = """
  select split_part(e.stream, ':', 1) as kind,
         case when e.stream not like 'settings:%' then cast(split_part(e.stream, ':', 2) as uuid) end as item_id,
         e.version, e.type, e.data, e.actor, e.at
  from events e where e.subject_id = :subject
"""
"""Settings have no item id; the package belongs to one person."""


def history(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield the events of a person's settings, visible memories and visible conversations."""
    return tx.stream(
        f"""
        select * from ({HISTORY}) as h
        where kind = 'settings'
          or kind = 'memory' and exists (select from visible_memories v where v.id = h.item_id)
          or kind = 'conversation' and exists (select from visible_conversations v where v.id = h.item_id)
        order by kind, item_id, version
        """,
        subject=subject_id,
    )


def history_of(tx: Transaction, subject_id: UUID, kind: str, ids: Sequence[UUID]) -> Iterator[Row]:
    """Yield the events of some items of a kind."""
    return tx.stream(
        f"{HISTORY} and e.stream = any(:streams) order by item_id, version",
        subject=subject_id,
        streams=[stream_name(kind, one) for one in ids],
    )


def receipt_ids(tx: Transaction, subject_id: UUID) -> list[UUID]:
    """Return the receipt ids of a person's forgets."""
    rows = tx.rows(
        "select receipt_id from operations where subject_id = :subject and receipt_id is not null order by id",
        subject=subject_id,
    )
    return [row["receipt_id"] for row in rows]


def running_operations(tx: Transaction, subject_id: UUID, *, but: UUID) -> list[Row]:
    """Return a person's unfinished operations except one."""
    return list(
        tx.rows(
            """
            select id, type, scope, status, created_at from operations
            where subject_id = :subject and id <> :but
              and exists (select from outbox o where o.operation_id = operations.id) order by id
            """,
            subject=subject_id,
            but=but,
        )
    )
