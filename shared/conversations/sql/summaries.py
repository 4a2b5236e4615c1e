"""SQL for rolling summaries (MC-03): one row per conversation, rewritten as it covers more messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Text, cast, literal, select

from shared.conversations.sql.tables import visible_summaries
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import SUMMARY_ROLL

AS_DERIVED: Final = select(
    visible_summaries.c.id,
    (literal("version ") + cast(visible_summaries.c.version, Text)).label("label"),
    visible_summaries.c.text.label("content"),
    visible_summaries.c.updated_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""

EXTRACTIVE: Final = "extractive"

LOOK_BACK: Final = 200
"""How many seqs before a summary's end to search for uncovered messages: completed late, or hidden at the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A visible summary: its text, method, and the range of messages it covers (seqs, inclusive)."""

    id: UUID
    text: str
    version: int
    method: str
    covered_from: int
    covered_through: int
    covered_message_count: int
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A message that the conversation's summary should cover next."""

    id: UUID
    seq: int
    role: str
    text: str


def newest(tx: Transaction, conversation_id: UUID) -> Summary | None:
    """Return the newest visible summary, if any."""
    row = tx.row(
        """
        select id, text, version, method, covered_from, covered_through, covered_message_count, updated_at
        from visible_summaries where conversation_id = :conversation order by version desc limit 1
        """,
        conversation=conversation_id,
    )
    return Summary(**row) if row else None


def is_rewritten(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> bool:
    """Return whether a summary is queued to be rewritten because a covered message was forgotten."""
    queued: bool = tx.value(
        "select exists (select from outbox where subject_id = :subject and kind = :kind and dedupe_key = :key)",
        subject=subject_id,
        kind=SUMMARY_ROLL,
        key=dedupe_key(conversation_id, again=True),
    )
    return queued


def dedupe_key(conversation_id: UUID, *, again: bool) -> str:
    """Return the dedupe key for summary jobs of a conversation; rewrites after a forget have their own."""
    return f"{conversation_id}:{again}"


def uncovered(
    tx: Transaction, conversation_id: UUID, summary: Summary | None, *, window: int, limit: int, characters: int
) -> list[Uncovered]:
    """Return the messages that left the window, or belong to an ended session, and are not in the summary yet.

    They are visible, completed user and assistant messages, oldest first, recorded while summaries were on. The cost
    depends on the number returned, not on the length of the conversation.

    Args:
        window: number of newest completed messages that the assistant receives verbatim.
        limit: maximum number of messages.
        characters: maximum characters of each message.
    """
    rows = tx.rows(
        """
        with place as materialized (
          select c.session, (select w.seq from visible_messages w where w.conversation_id = c.id and w.completed
                             order by w.seq desc offset :window limit 1) as slid_out
          from visible_conversations c where c.id = :conversation
        )
        select m.id, m.seq, m.role, left(m.text, :characters) as text
        from visible_messages m cross join place
        where m.conversation_id = :conversation and m.seq > :after - :look_back and m.completed and m.summarize
          and m.role in ('user', 'assistant') and (m.seq <= place.slid_out or m.session < place.session)
          and (m.seq > :after or not exists (
            select from lineage l where l.derived_kind = 'summary' and l.derived_id = cast(:summary as uuid)
              and l.source_kind = 'message' and l.source_id = m.id))
        order by m.seq limit :limit
        """,
        conversation=conversation_id,
        summary=summary.id if summary else None,
        after=summary.covered_through if summary else 0,
        look_back=LOOK_BACK,
        window=window,
        limit=limit,
        characters=characters,
    )
    return [Uncovered(**row) for row in rows]


def next_version(tx: Transaction, conversation_id: UUID) -> int | None:
    """Increment and return a conversation's summary version; None if the conversation is gone.

    Versions continue after a forget. The row stays locked until the transaction ends, so concurrent updates wait.
    """
    version: int | None = tx.value(
        "update conversations set summary_version = summary_version + 1 where id = :id returning summary_version",
        id=conversation_id,
    )
    return version


def add(
    tx: Transaction,
    subject: Subject,
    summary_id: UUID,
    conversation_id: UUID,
    *,
    text: str,
    version: int,
    covered: tuple[int, int],
    count: int,
    method: str = EXTRACTIVE,
) -> None:
    """Store a conversation's first summary, covering `count` messages with seqs `covered` (inclusive)."""
    tx.run(
        """
        with kept as (
          insert into summaries (id, subject_id, generation, conversation_id, version, method, covered_from,
                                 covered_through, covered_message_count)
          values (:id, :subject, :generation, :conversation, :version, :method, :first, :last, :count) returning id
        )
        insert into summary_contents (summary_id, text) select id, :text from kept
        """,
        id=summary_id,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
        version=version,
        method=method,
        first=covered[0],
        last=covered[1],
        count=count,
        text=text,
    )


def replace(tx: Transaction, summary_id: UUID, *, text: str, version: int, method: str, seqs: Sequence[int]) -> None:
    """Replace a summary with its next version, which also covers the messages with these seqs."""
    tx.run(
        """
        update summaries set version = :version, method = :method, updated_at = now(),
          covered_from = least(covered_from, :first), covered_through = greatest(covered_through, :last),
          covered_message_count = covered_message_count + :count
        where id = :id
        """,
        id=summary_id,
        version=version,
        method=method,
        first=min(seqs),
        last=max(seqs),
        count=len(seqs),
    )
    tx.run("delete from summary_contents where summary_id = :id", id=summary_id)
    tx.run("insert into summary_contents (summary_id, text) values (:id, :text)", id=summary_id, text=text)
