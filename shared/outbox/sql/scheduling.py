"""Scheduler queries on the outbox: due rows and queue depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import LEARN_MEMORY, QUARANTINE_EXPIRIES

REPUBLISH_SECONDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A row to publish; `expiries` counts its consecutive leases that expired without an error."""

    id: int
    kind: str
    expiries: int
    priority: int
    subject_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """Queue depth. `ready` counts due rows; `oldest_seconds` is how long the oldest of them has been due."""

    ready: int
    leased: int
    failed: int
    quarantined: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """The number of a person's messages waiting to be learned from, and how long the oldest has waited."""

    messages: int
    since: datetime | None


def mark_published(tx: Transaction, *, above: int, limit: int) -> list[Due]:
    """Mark due rows as published and return them, most urgent first; rows unclaimed for 12 s are returned again.

    Args:
        above: a low-water mark: only rows with a higher id; 0 scans all.
        limit: maximum number of rows.
    """
    # The commit is asynchronous: if a crash loses a mark, the row is published again and the second claim finds it
    # taken. `+ interval '0'` keeps the planner off the index of due times: while a snapshot is open, that index retains
    # everything that was ever due, and only few rows are above the mark.
    rows = tx.rows(
        """
        with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
        update outbox set published_at = now() from relaxed where id in (
          select id from outbox
          where state = 'ready' and id > :above and available_at + interval '0' <= now()
            and (published_at is null or published_at < greatest(now() - make_interval(secs => :again), available_at))
          order by priority desc, id limit :limit for update skip locked)
        returning id, kind, expiries, priority, subject_id
        """,
        above=above,
        again=REPUBLISH_SECONDS,
        limit=limit,
    )
    return [Due(**row) for row in sorted(rows, key=lambda row: (-row["priority"], row["id"]))]


def unclaimed(tx: Transaction, ids: Sequence[int]) -> list[int]:
    """Return the published rows that no worker has claimed yet; one that was claimed and put back is not published."""
    rows = tx.rows(
        "select id from outbox where id = any(:ids) and state || '' = 'ready' and published_at is not null",
        ids=list(ids),
    )
    return [row["id"] for row in rows]


def unmark(tx: Transaction, ids: Sequence[int]) -> None:
    """Clear the marks after the broker rejected the wake-ups, so that the rows are published again at once."""
    tx.run("update outbox set published_at = null where id = any(:ids) and state = 'ready'", ids=list(ids))


def make_due(tx: Transaction, subject_id: UUID, *, code: str) -> None:
    """Make a person's rows that wait with this error code due now, because the cause is gone."""
    touched = tx.run(
        """
        update outbox set available_at = now(), published_at = null
        where subject_id = :subject and state = 'ready' and last_error = :code
        """,
        subject=subject_id,
        code=code,
    )
    tx.queued = tx.queued or touched > 0


def turns_waiting(tx: Transaction, subject_id: UUID, conversation_id: UUID) -> int:
    """Return how many turns of a conversation wait to be learned from together (LT-05), not because of an error."""
    count: int = tx.value(
        """
        select count(*) from outbox
        where subject_id = :subject and kind = :kind and state = 'ready' and available_at > now()
          and last_error is null and payload->>'conversation_id' = :conversation
        """,
        subject=subject_id,
        kind=LEARN_MEMORY,
        conversation=str(conversation_id),
    )
    return count


def let_turns_wait(tx: Transaction, subject_id: UUID, conversation_id: UUID, *, seconds: float) -> None:
    """Set when the turns of `turns_waiting` are learned from: in so many seconds, 0 for now."""
    touched = tx.run(
        """
        update outbox set available_at = now() + make_interval(secs => :seconds), published_at = null
        where subject_id = :subject and kind = :kind and state = 'ready' and available_at > now()
          and last_error is null and payload->>'conversation_id' = :conversation
        """,
        subject=subject_id,
        kind=LEARN_MEMORY,
        conversation=str(conversation_id),
        seconds=seconds,
    )
    tx.queued = tx.queued or touched > 0


def learning_ahead(tx: Transaction, subject_id: UUID, *, before: UUID | None = None) -> Ahead:
    """Return how many of a person's messages wait to be learned from, including those in progress.

    Turns that wait for more turns or for a switch are not counted, and neither are failed rows.

    Args:
        before: count only messages ahead of this one; `since` is then this message's own.
    """
    row = tx.row(
        """
        with waiting as materialized (
          select id, payload->'message_ids' as ids,
                 case when last_error is null then greatest(created_at, available_at) else created_at end as since
          from outbox
          where subject_id = :subject and kind = :kind and state in ('ready', 'leased')
            and (available_at <= now() or last_error is not null) and last_error is distinct from 'switched_off'
        ), own as (select min(id) as id, min(since) as since from waiting where ids @> to_jsonb(cast(:before as text)))
        select (
            select count(distinct m.id) from waiting w
            cross join lateral jsonb_array_elements_text(w.ids) as member(id)
            join visible_messages m on m.id = cast(member.id as uuid) and m.role = 'user'
            where cast(:before as text) is null or w.id < (select id from own)
          ) as messages,
          case when cast(:before as text) is null then (select min(since) from waiting)
               else (select since from own) end as since
        """,
        subject=subject_id,
        kind=LEARN_MEMORY,
        before=str(before) if before else None,
    )
    assert row is not None  # noqa: S101 # a select without a from
    return Ahead(messages=row["messages"], since=row["since"])


def seconds_until_due(tx: Transaction) -> float | None:
    """Return the seconds until the next row is due; None if none is waiting."""
    seconds: float | None = tx.value(
        """
        select extract(epoch from min(available_at) - now())::float8 from outbox
        where state = 'ready' and available_at > now()
        """
    )
    return seconds


def depth(tx: Transaction) -> Depth:
    """Return the queue depth, for metrics and the doctor command."""
    row = tx.row(
        """
        select count(*) filter (where due) as ready, count(*) filter (where state = 'leased') as leased,
               count(*) filter (where state = 'failed') as failed,
               count(*) filter (where expiries >= :quarantine) as quarantined,
               coalesce(extract(epoch from now() - min(available_at) filter (where due)), 0)::float8 as oldest
        from (select state, expiries, available_at, state = 'ready' and available_at <= now() as due
              from outbox) as rows
        """,
        quarantine=QUARANTINE_EXPIRIES,
    )
    assert row is not None  # noqa: S101 # an aggregate always answers
    return Depth(
        ready=row["ready"],
        leased=row["leased"],
        failed=row["failed"],
        quarantined=row["quarantined"],
        oldest_seconds=row["oldest"],
    )
