"""Reads the rows of a package from one snapshot, one function per kind of record.

Only visible rows of one person are read. Columns without content that a view omits come from the base table. Memories,
lineage and histories: `shared.portability.sql.export_memories`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, select

from shared.conversations.sql.tables import message_contents, visible_messages
from shared.kernel.database import Row, Transaction

PAGE: Final = 500
"""Rows per query: a conversation is read along its index, never sorted as a whole."""


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
        select v.id, v.project_id, v.title, v.external_id,
               case when v.title is not null then t.at_seq end as title_at_seq, v.remember,
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


_said = visible_messages.c
_MESSAGE: Final = select(
    _said.id,
    _said.conversation_id,
    _said.seq,
    _said.turn,
    _said.session,
    _said.role,
    _said.name,
    _said.text.label("content"),
    _said.task_hint,
    _said.client_message_id,
    _said.completed,
    message_contents.c.version,
    _said.summarize,
    _said.index_episode,
    _said.learn,
    _said.spoken_at,
    _said.recorded_at,
    _said.metadata,
).where(message_contents.c.message_id == _said.id, message_contents.c.subject_id == _said.subject_id)
_OF_CONVERSATION: Final = _MESSAGE.where(
    _said.conversation_id == bindparam("id"), _said.seq > bindparam("after")
).order_by(_said.seq)
_SOME: Final = _MESSAGE.where(_said.id == any_(bindparam("ids", type_=ARRAY(Uuid)))).order_by(
    _said.conversation_id, _said.seq
)


def messages(tx: Transaction, conversation_id: UUID) -> Iterator[Row]:
    """Yield a conversation's messages in order, each with its never-learn spans and its withheld counts."""
    after = 0
    while rows := tx.rows(_OF_CONVERSATION.limit(PAGE), id=conversation_id, after=after):
        yield from _with_marks(tx, rows)
        after = rows[-1]["seq"]


def some_messages(tx: Transaction, ids: Sequence[UUID]) -> Iterator[Row]:
    """Yield some messages, ordered by conversation and seq."""
    return _with_marks(tx, tx.rows(_SOME, ids=list(ids)))


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
    after, last = 0, UUID(int=0)
    while rows := tx.rows(_EPISODES, id=conversation_id, after=after, last=last, limit=PAGE):
        yield from rows
        after, last = rows[-1]["first_seq"], rows[-1]["id"]


_EPISODES: Final = """
  select e.id, e.turn, e.first_seq, e.user_message_id, e.assistant_message_id, u.text as user_message,
         a.text as assistant_message, e.created_at
  from visible_episodes e
  left join visible_messages u on u.id = e.user_message_id and u.conversation_id = e.conversation_id
  left join visible_messages a on a.id = e.assistant_message_id and a.conversation_id = e.conversation_id
  where e.conversation_id = :id and (e.first_seq, e.id) > (:after, :last)
  order by e.first_seq, e.id limit :limit
"""


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
