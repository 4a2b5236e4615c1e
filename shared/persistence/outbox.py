"""The outbox: every outside effect is one row here, claimed under a lease and closed by a fenced statement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from shared.persistence.database import Transaction

CHANNEL = "memory_center_outbox"
REPUBLISH_SECONDS = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One outside effect to queue."""

    kind: str
    payload: dict[str, Any]
    priority: int = 0
    dedupe_key: str | None = None
    operation_id: UUID | None = None
    step_id: int | None = None
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to do one row's work until it expires; `token` proves it when closing."""

    id: int
    kind: str
    payload: dict[str, Any]
    subject_id: UUID
    operation_id: UUID | None
    step_id: int | None
    token: int
    attempt: int
    expiries: int
    waited_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """How much waits."""

    ready: int
    leased: int
    failed: int
    oldest_seconds: float


class LeaseLost(Exception):
    """Another worker has the row now. Stop silently: whatever was done is repeated or already closed."""


def add(tx: Transaction, subject_id: UUID, work: Sequence[Work]) -> None:
    """Queue work in this transaction; rows with the same dedupe key coalesce while they wait."""
    if not work:
        return
    tx.run(
        """
        insert into outbox (operation_id, step_id, subject_id, kind, payload, priority, dedupe_key, available_at)
        select w.operation_id, w.step_id, :subject, w.kind, w.payload, w.priority, w.dedupe_key,
               now() + make_interval(secs => w.delay)
        from jsonb_to_recordset(:work) as w(operation_id uuid, step_id bigint, kind text, payload jsonb,
                                            priority integer, dedupe_key text, delay double precision)
        on conflict (kind, dedupe_key) where state = 'ready' do nothing
        """,
        subject=subject_id,
        work=json.dumps(
            [
                {
                    "operation_id": str(item.operation_id) if item.operation_id else None,
                    "step_id": item.step_id,
                    "kind": item.kind,
                    "payload": item.payload,
                    "priority": item.priority,
                    "dedupe_key": item.dedupe_key,
                    "delay": item.delay_seconds,
                }
                for item in work
            ]
        ),
    )
    tx.queued = True


def mark_published(tx: Transaction, *, above: int, limit: int) -> list[tuple[int, str]]:
    """Mark due rows and return (id, kind), most urgent first; rows nobody claimed in 15 s come again.

    Args:
        above: a low-water mark; rows at or below it are left to the full scans (`above=0`).
        limit: most rows to return.
    """
    rows = tx.rows(
        """
        update outbox set published_at = now() where id in (
          select id from outbox
          where state = 'ready' and id > :above and available_at <= now()
            and (published_at is null or published_at < greatest(now() - make_interval(secs => :again), available_at))
          order by priority desc, id limit :limit for update skip locked)
        returning id, kind, priority
        """,
        above=above,
        again=REPUBLISH_SECONDS,
        limit=limit,
    )
    return [(row["id"], row["kind"]) for row in sorted(rows, key=lambda row: (-row["priority"], row["id"]))]


def unmark(tx: Transaction, ids: Sequence[int]) -> None:
    """Take marks back after the broker refused the wake-ups, so that they are tried again at once."""
    tx.run("update outbox set published_at = null where id = any(:ids) and state = 'ready'", ids=list(ids))


def seconds_until_due(tx: Transaction) -> float | None:
    """Return how long until the next unpublished row is due; None when nothing waits."""
    seconds: float | None = tx.value(
        """
        select extract(epoch from min(available_at) - now())::float8 from outbox
        where state = 'ready' and available_at > now()
        """
    )
    return seconds


def claim(tx: Transaction, ids: Sequence[int], *, lease_seconds: float) -> list[Lease]:
    """Take the rows that are still ready. No SKIP LOCKED: it swallows wake-ups the relay is touching."""
    rows = tx.rows(
        """
        update outbox set state = 'leased', lease_token = lease_token + 1, attempt = attempt + 1,
          lease_until = now() + make_interval(secs => :seconds)
        where id in (select id from outbox where id = any(:ids) and state = 'ready' and available_at <= now()
                     order by id for update)
        returning id, kind, payload, subject_id, operation_id, step_id, lease_token, attempt, expiries,
          extract(epoch from clock_timestamp() - greatest(created_at, available_at))::float8 as waited
        """,
        ids=list(ids),
        seconds=lease_seconds,
    )
    return [
        Lease(
            id=row["id"],
            kind=row["kind"],
            payload=row["payload"],
            subject_id=row["subject_id"],
            operation_id=row["operation_id"],
            step_id=row["step_id"],
            token=row["lease_token"],
            attempt=row["attempt"],
            expiries=row["expiries"],
            waited_seconds=row["waited"],
        )
        for row in sorted(rows, key=lambda row: row["id"])
    ]


def extend(tx: Transaction, leases: Sequence[Lease], *, lease_seconds: float) -> set[int]:
    """Keep leases alive; return the ids still ours."""
    rows = tx.rows(
        """
        update outbox o set lease_until = now() + make_interval(secs => :seconds)
        from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])) as held(id, token)
        where o.id = held.id and o.lease_token = held.token and o.state = 'leased'
        returning o.id
        """,
        ids=[lease.id for lease in leases],
        tokens=[lease.token for lease in leases],
        seconds=lease_seconds,
    )
    return {row["id"] for row in rows}


def close(tx: Transaction, lease: Lease) -> None:
    """Finish a row: it disappears.

    Raises:
        LeaseLost: the lease expired and the row is someone else's; the transaction must not commit.
    """
    closed = tx.run(
        "delete from outbox where id = :id and lease_token = :token and state = 'leased'",
        id=lease.id,
        token=lease.token,
    )
    if closed != 1:
        raise LeaseLost


def put_back(tx: Transaction, lease: Lease, *, code: str, delay_seconds: float, spend_attempt: bool = True) -> datetime:
    """Return a row to the queue after an error, to be tried again in `delay_seconds`.

    Raises:
        LeaseLost: as `close`.
    """
    row = tx.row(
        """
        update outbox set state = 'ready', lease_until = null, published_at = null, last_error = :code,
          attempt = attempt - case when :spend then 0 else 1 end,
          available_at = now() + make_interval(secs => :delay)
        where id = :id and lease_token = :token and state = 'leased' returning available_at
        """,
        id=lease.id,
        token=lease.token,
        code=code,
        delay=delay_seconds,
        spend=spend_attempt,
    )
    if row is None:
        raise LeaseLost
    tx.queued = True
    at: datetime = row["available_at"]
    return at


def fail(tx: Transaction, lease: Lease, *, code: str, retry_seconds: float) -> datetime:
    """Park a row that repeating cannot heal; it is tried again by itself much later.

    Raises:
        LeaseLost: as `close`.
    """
    row = tx.row(
        """
        update outbox set state = 'failed', lease_until = null, last_error = :code,
          available_at = now() + make_interval(secs => :delay)
        where id = :id and lease_token = :token and state = 'leased' returning available_at
        """,
        id=lease.id,
        token=lease.token,
        code=code,
        delay=retry_seconds,
    )
    if row is None:
        raise LeaseLost
    at: datetime = row["available_at"]
    return at


def revive(tx: Transaction) -> int:
    """Return expired leases, and failed rows whose time has come, to the queue; returns how many."""
    return tx.run(
        """
        update outbox set state = 'ready', published_at = null, lease_until = null,
          expiries = expiries + case when state = 'leased' then 1 else 0 end
        where id in (
          select id from outbox
          where (state = 'leased' and lease_until < now()) or (state = 'failed' and available_at <= now())
          for update skip locked)
          and not exists (select from outbox twin where twin.kind = outbox.kind and twin.state = 'ready'
                          and twin.dedupe_key = outbox.dedupe_key)
        """
    )


def retry_operation(tx: Transaction, operation_id: UUID) -> int:
    """Make an operation's failed and delayed rows due now; returns how many."""
    touched = tx.run(
        """
        update outbox set state = 'ready', published_at = null, available_at = now()
        where operation_id = :operation and (state = 'failed' or (state = 'ready' and available_at > now()))
        """,
        operation=operation_id,
    )
    tx.queued = tx.queued or touched > 0
    return touched


def drop_derivations(tx: Transaction, subject_id: UUID, *, kinds: Sequence[str]) -> int:
    """Delete queued derivations of a person whose everything is being forgotten."""
    return tx.run(
        "delete from outbox where subject_id = :subject and kind = any(:kinds) and state <> 'leased'",
        subject=subject_id,
        kinds=list(kinds),
    )


def depth(tx: Transaction) -> Depth:
    """Return how much waits, for metrics and doctor."""
    row = tx.row(
        """
        select count(*) filter (where state = 'ready') as ready, count(*) filter (where state = 'leased') as leased,
               count(*) filter (where state = 'failed') as failed,
               coalesce(extract(epoch from now() - min(available_at) filter (where state = 'ready')), 0)::float8
                 as oldest
        from outbox
        """
    )
    assert row is not None  # noqa: S101 # an aggregate always answers
    return Depth(ready=row["ready"], leased=row["leased"], failed=row["failed"], oldest_seconds=max(0.0, row["oldest"]))
