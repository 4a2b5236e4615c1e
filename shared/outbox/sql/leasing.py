"""Leases of outbox rows: the right to process them for a while.

Besides a key, statements ask for `state || ''` and `available_at + interval '0'`, so that only the index on the key
matches: while a snapshot is open, the other indexes retain every old row, and a plan made when they were small would
read all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import RECORDING
from shared.outbox.sql.outbox import second_look


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to process one row until the lease expires; closing requires its `token`."""

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


class LeaseLost(Exception):
    """Another worker holds the row. Stop silently: the work is repeated or already closed."""


def claim(
    tx: Transaction, ids: Sequence[int], *, lease_seconds: float, kinds: Sequence[str] | None = None
) -> list[Lease]:
    """Lease the rows that are still ready, optionally of some kinds.

    SKIP LOCKED is not used: it would lose wake-ups for rows that the scheduler is updating. The commit is asynchronous:
    if a crash loses a claim, the row is ready again, and the old worker's random token no longer matches. Claims for
    the ledger queue are synchronous, because a forget that has started must not appear undoable.
    """
    rows = tx.rows(
        """
        with durability as materialized (select set_config('synchronous_commit', :durability, true))
        update outbox set state = 'leased', lease_token = (random() * 9e18)::bigint, attempt = attempt + 1,
          lease_until = now() + make_interval(secs => :seconds)
        where (select set_config is not null from durability)
          and id = any(array(  -- by key, however many dead rows the table has
            select id from outbox
            where id = any(:ids) and state || '' = 'ready' and available_at + interval '0' <= now()
              and (cast(:kinds as text[]) is null or kind = any(:kinds))
            order by id for update))
        returning id, kind, payload, subject_id, operation_id, step_id, lease_token, attempt, expiries,
          extract(epoch from clock_timestamp() - greatest(created_at, available_at))::float8 as waited
        """,
        ids=list(ids),
        seconds=lease_seconds,
        kinds=None if kinds is None else list(kinds),
        durability="off" if RECORDING.isdisjoint(kinds or RECORDING) else "on",
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


def still_held(tx: Transaction, leases: Sequence[Lease]) -> list[Lease]:
    """Return the leases that are still valid, and lock their rows until the transaction ends."""
    rows = tx.rows(
        """
        select id from outbox where id = any(:ids) and state || '' = 'leased'
          and (id, lease_token) in (select * from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])))
        order by id for update
        """,
        ids=[lease.id for lease in leases],
        tokens=[lease.token for lease in leases],
    )
    ours = {row["id"] for row in rows}
    return [lease for lease in leases if lease.id in ours]


def is_held(tx: Transaction, lease: Lease) -> bool:
    """Return whether a lease is still valid without locking its row; `close` must check it again afterwards."""
    found: bool = tx.value(
        "select exists (select from outbox where id = :id and lease_token = :token and state || '' = 'leased')",
        id=lease.id,
        token=lease.token,
    )
    return found


def extend(tx: Transaction, leases: Sequence[Lease], *, lease_seconds: float) -> set[int]:
    """Extend leases; return the ids that are still ours."""
    rows = tx.rows(
        """
        update outbox set lease_until = now() + make_interval(secs => :seconds)
        where id = any(:ids) and state || '' = 'leased'
          and (id, lease_token) in (select * from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])))
        returning id
        """,
        ids=[lease.id for lease in leases],
        tokens=[lease.token for lease in leases],
        seconds=lease_seconds,
    )
    return {row["id"] for row in rows}


def close(tx: Transaction, lease: Lease) -> None:
    """Delete a finished row.

    Raises:
        LeaseLost: the lease expired and another worker holds the row; the transaction must not commit.
    """
    closed = tx.run(
        "delete from outbox where id = :id and lease_token = :token and state || '' = 'leased'",
        id=lease.id,
        token=lease.token,
    )
    if closed != 1:
        raise LeaseLost


def put_back(
    tx: Transaction, lease: Lease, *, code: str, delay_seconds: float, spend_attempt: bool = True
) -> datetime | None:
    """Return a row to the queue after an error; return its retry time, or None if a ready duplicate replaces it.

    The worker survived to report the error, so the count of expired leases is reset.

    Raises:
        LeaseLost: as `close`.
    """
    if _gives_way(tx, lease):
        return None
    with second_look():
        row = tx.row(
            """
            update outbox set state = 'ready', lease_until = null, published_at = null, last_error = :code,
              expiries = 0, attempt = attempt - case when :spend then 0 else 1 end,
              available_at = now() + make_interval(secs => :delay)
            where id = :id and lease_token = :token and state || '' = 'leased' returning available_at
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


def fail(tx: Transaction, lease: Lease, *, code: str, retry_seconds: float) -> datetime | None:
    """Mark a row as failed when retrying soon cannot help; it is retried much later. Returns as `put_back`.

    Raises:
        LeaseLost: as `close`.
    """
    if _gives_way(tx, lease):
        return None
    row = tx.row(
        """
        update outbox set state = 'failed', lease_until = null, last_error = :code, expiries = 0,
          available_at = now() + make_interval(secs => :delay)
        where id = :id and lease_token = :token and state || '' = 'leased' returning available_at
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


def _gives_way(tx: Transaction, lease: Lease) -> bool:
    """Delete a leased row if a ready row has the same kind and dedupe key; return whether it was deleted."""
    gone = tx.run(
        """
        delete from outbox o
        where id = :id and lease_token = :token and state || '' = 'leased' and operation_id is null
          and exists (select from outbox twin where twin.kind = o.kind and twin.dedupe_key = o.dedupe_key
                      and twin.state = 'ready')
        """,
        id=lease.id,
        token=lease.token,
    )
    return gone == 1
