"""SQL for turns: their messages, and whether items may be derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, exists, select

from shared.conversations.sql.messages import COLUMNS, Message, as_message
from shared.conversations.sql.tables import erased_messages, messages, visible_messages
from shared.kernel.database import Transaction
from shared.lineage.sql.tables import unlearnable_spans
from shared.outbox.sql.tables import hides

SIDES: Final = ("user", "assistant")

_M: Final = visible_messages.c
_LEARNABLE_BEFORE: Final = (
    select(*COLUMNS)
    .where(_M.conversation_id == bindparam("conversation"), _M.seq < bindparam("before"), _M.completed, _M.learn)
    .where(~exists().where(unlearnable_spans.c.message_id == _M.id))
    .where(~exists().where(erased_messages.c.conversation_id == _M.conversation_id, erased_messages.c.turn == _M.turn))
    .where(
        ~exists()
        .where(hides.c.kind == "message", hides.c.item_id == messages.c.id)
        .where(messages.c.conversation_id == _M.conversation_id, messages.c.turn == _M.turn)
    )
    .order_by(_M.seq.desc())
    .limit(bindparam("limit"))
)
_SOME: Final = (
    select(*COLUMNS, _M.index_episode, _M.learn)
    .where(_M.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
    .order_by(_M.seq)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The visible messages of one turn in order, and whether items may be derived from them.

    A message of a tool or the system that nothing may be derived from is left out, the others stay; if what the person
    or the assistant said is excluded, so is all of the turn.
    """

    messages: tuple[Message, ...]
    index_episode: bool
    learn: bool


def completed_message_ids(tx: Transaction, conversation_id: UUID, turn: int) -> list[UUID]:
    """Return all completed messages of a turn in order, visible or not."""
    rows = tx.rows(
        "select id from messages where conversation_id = :conversation and turn = :turn and completed order by seq",
        conversation=conversation_id,
        turn=turn,
    )
    return [row["id"] for row in rows]


def lost_a_member(tx: Transaction, conversation_id: UUID, turn: int) -> bool:
    """Return whether a message of a turn was erased; nothing is derived from such a turn again (decision 23).

    A hidden message may return, so callers check visibility separately.
    """
    lost: bool = tx.value(
        """
        select exists (select from erased_messages where conversation_id = :conversation and turn = :turn)
        """,
        conversation=conversation_id,
        turn=turn,
    )
    return lost


def learnable_before(tx: Transaction, conversation_id: UUID, *, before_seq: int, limit: int) -> list[Message]:
    """Return the newest messages before a turn that a model may be shown, oldest first.

    Excludes messages recorded while long-term memory was off, messages with spans excluded from learning, and turns
    with an erased or hidden message, because the wording of a memory may contain anything shown.
    """
    rows = tx.rows(_LEARNABLE_BEFORE, conversation=conversation_id, before=before_seq, limit=limit)
    return [as_message(row) for row in reversed(rows)]


def learnable_ids(tx: Transaction, conversation_id: UUID, *, first: int, last: int) -> list[UUID]:
    """Return the visible, completed messages of some turns that memories may come from, in order."""
    rows = tx.rows(
        """
        select id from visible_messages
        where conversation_id = :conversation and turn between :first and :last and completed and learn
        order by seq
        """,
        conversation=conversation_id,
        first=first,
        last=last,
    )
    return [row["id"] for row in rows]


def is_whole(tx: Transaction, conversation_id: UUID, turn: int) -> bool:
    """Return whether all messages of a turn are complete, but for answers that were broken off and given again."""
    whole: bool = tx.value(
        """
        select coalesce(bool_and(completed or (role = 'assistant' and seq < answered)), false) from (
          select completed, role, seq,
                 coalesce(max(seq) filter (where role = 'assistant' and completed) over (), 0) as answered
          from messages where conversation_id = :conversation and turn = :turn) m
        """,
        conversation=conversation_id,
        turn=turn,
    )
    return whole


def unfinished(tx: Transaction, conversation_id: UUID, session: int) -> list[int]:
    """Return the turns of a session without a completed exchange, or that are not whole.

    They end with the session.
    """
    rows = tx.rows(
        """
        select turn from (
          select turn, completed, role, seq, coalesce(
                   max(seq) filter (where role = 'assistant' and completed) over (partition by turn), 0) as answered
          from messages where conversation_id = :conversation and session = :session) m
        group by turn
        having bool_or(completed) and (not bool_and(completed or (role = 'assistant' and seq < answered)) or not (
          bool_or(role = 'user' and completed) and bool_or(role = 'assistant' and completed)))
        order by turn
        """,
        conversation=conversation_id,
        session=session,
    )
    return [row["turn"] for row in rows]


def as_read(tx: Transaction, read: Turn) -> Turn | None:
    """Return a turn that was read as it is now; None if any of its words is gone. Call it like `sources`."""
    now = sources(tx, [message.id for message in read.messages])
    same = now is not None and [one.text for one in now.messages] == [one.text for one in read.messages]
    return now if same else None


def sources(tx: Transaction, message_ids: Sequence[UUID]) -> Turn | None:
    """Return the turn of these messages if all are visible, else None.

    Call it under the fence before an external call, and again before its result is committed.
    """
    rows = tx.rows(_SOME, ids=list(message_ids))
    if not rows or len(rows) != len(set(message_ids)):
        return None
    used = [row for row in rows if row["role"] in SIDES or row["learn"] or row["index_episode"]] or rows
    return Turn(
        messages=tuple(as_message(row) for row in used),
        index_episode=all(row["index_episode"] for row in used),
        learn=all(row["learn"] for row in used),
    )
