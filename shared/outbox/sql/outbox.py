"""The outbox: every outside effect is one row here, claimed under a lease and closed by a fenced statement."""

# ruff: noqa: S608 # statements are put together from constants of this module

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from shared.kernel.database import LostRace, Transaction
from shared.outbox.job_kinds import RECORDING

CHANNEL = "memory_center_outbox"

READY: Final = "state || '' = 'ready' and available_at + interval '0' <= now()"
LEASED: Final = "state || '' = 'leased'"
"""Conditions beside a key. Written so that no index but the key's fits: while somebody holds a snapshot open, the
others keep every row there was since, and a plan made when there were few would read them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One outside effect to queue.

    Of the rows of a kind with one `dedupe_key` at most one is ready; rows of an operation have none, because each
    closes a step of its own.
    """

    kind: str
    payload: dict[str, Any]
    priority: int = 0
    dedupe_key: str | None = None
    operation_id: UUID | None = None
    step_id: int | None = None
    delay_seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.operation_id is not None and self.dedupe_key is not None:
            raise ValueError("a row of an operation never coalesces")


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


class LeaseLost(Exception):
    """Another worker has the row now. Stop silently: whatever was done is repeated or already closed."""


def add(tx: Transaction, subject_id: UUID, work: Sequence[Work]) -> None:
    """Queue work in this transaction; rows with the same dedupe key coalesce while they wait.

    A failed twin is replaced and its attempts count on. A leased one may have read old state, so the new row is needed.
    """
    if not work:
        return
    tx.run(
        """
        with wanted as (
          select * from jsonb_to_recordset(:work) as w(operation_id uuid, step_id bigint, kind text, payload jsonb,
                                                       priority integer, dedupe_key text, delay double precision)
        ), replaced as (
          delete from outbox o using (select distinct kind, dedupe_key from wanted) w
          where o.kind = w.kind and o.dedupe_key = w.dedupe_key and o.state = 'failed'
          returning o.kind, o.dedupe_key, o.attempt, o.expiries, o.last_error
        ), tried as (
          select kind, dedupe_key, max(attempt) as attempt, max(expiries) as expiries, max(last_error) as last_error
          from replaced group by kind, dedupe_key
        )
        insert into outbox (operation_id, step_id, subject_id, kind, payload, priority, dedupe_key, available_at,
                            attempt, expiries, last_error)
        select w.operation_id, w.step_id, :subject, w.kind, w.payload, w.priority, w.dedupe_key,
               now() + make_interval(secs => w.delay), coalesce(t.attempt, 0), coalesce(t.expiries, 0), t.last_error
        from wanted w left join tried t on t.kind = w.kind and t.dedupe_key = w.dedupe_key
        on conflict (kind, dedupe_key) where state = 'ready' do update set payload = excluded.payload
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


def claim(
    tx: Transaction, ids: Sequence[int], *, lease_seconds: float, kinds: Sequence[str] | None = None
) -> list[Lease]:
    """Take the rows that are still ready, of these kinds or any.

    No SKIP LOCKED: it swallows wake-ups the scheduler is touching. Nobody waits for the disk either: should PostgreSQL
    crash and lose a claim, the row is ready again, and as tokens are random whoever had it cannot close it. The lane of
    the ledger does wait: a forget it has begun must not look as if it could be undone.
    """
    rows = tx.rows(
        f"""
        with durability as materialized (select set_config('synchronous_commit', :durability, true))
        update outbox set state = 'leased', lease_token = (random() * 9e18)::bigint, attempt = attempt + 1,
          lease_until = now() + make_interval(secs => :seconds)
        where (select set_config is not null from durability)
          and id = any(array(  -- by key, however many dead rows the table has
            select id from outbox where id = any(:ids) and {READY}
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
    """Return the leases that are still ours, and keep their rows until the transaction ends."""
    rows = tx.rows(
        f"""
        select id from outbox where id = any(:ids) and {LEASED}
          and (id, lease_token) in (select * from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])))
        order by id for update
        """,
        ids=[lease.id for lease in leases],
        tokens=[lease.token for lease in leases],
    )
    ours = {row["id"] for row in rows}
    return [lease for lease in leases if lease.id in ours]


def is_held(tx: Transaction, lease: Lease) -> bool:
    """Return whether a lease is still ours, without keeping its row: for work after which `close` proves it."""
    found: bool = tx.value(
        f"select exists (select from outbox where id = :id and lease_token = :token and {LEASED})",
        id=lease.id,
        token=lease.token,
    )
    return found


def withdraw_operation(tx: Transaction, operation_id: UUID) -> bool:
    """Delete an operation's rows if none of its steps was ever begun; returns whether they are gone.

    A step that was begun may have written to the ledger's file, whether its row shows it or not; rows of a later stage
    are as fresh as those of the first. Claiming takes no fence: the rows are locked before the steps are looked at.
    """
    tx.rows("select id from outbox where operation_id = :operation order by id for update", operation=operation_id)
    begun = tx.value(
        "select exists (select from operation_steps where operation_id = :operation and started_at is not null)",
        operation=operation_id,
    )
    if begun:
        return False
    return tx.run("delete from outbox where operation_id = :operation", operation=operation_id) > 0


def drop_operation(tx: Transaction, operation_id: UUID) -> None:
    """Delete an operation's rows, whoever has them: what they are for is not wanted any more."""
    tx.run("delete from outbox where operation_id = :operation", operation=operation_id)


def extend(tx: Transaction, leases: Sequence[Lease], *, lease_seconds: float) -> set[int]:
    """Keep leases alive; return the ids still ours."""
    rows = tx.rows(
        f"""
        update outbox set lease_until = now() + make_interval(secs => :seconds)
        where id = any(:ids) and {LEASED}
          and (id, lease_token) in (select * from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])))
        returning id
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
        f"delete from outbox where id = :id and lease_token = :token and {LEASED}",
        id=lease.id,
        token=lease.token,
    )
    if closed != 1:
        raise LeaseLost


def close_many(tx: Transaction, leases: Sequence[Lease]) -> set[int]:
    """Finish rows in one statement; return the ids that were still ours, the others are someone else's by now."""
    rows = tx.rows(
        f"""
        delete from outbox where id = any(:ids) and {LEASED}
          and (id, lease_token) in (select * from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])))
        returning id
        """,
        ids=[lease.id for lease in leases],
        tokens=[lease.token for lease in leases],
    )
    return {row["id"] for row in rows}


def put_back(
    tx: Transaction, lease: Lease, *, code: str, delay_seconds: float, spend_attempt: bool = True
) -> datetime | None:
    """Return a row to the queue after an error; returns when it is tried again, None when its ready twin is instead.

    Its worker survived to say so: expired leases of the past are forgotten.

    Raises:
        LeaseLost: as `close`.
    """
    if _gives_way(tx, lease):
        return None
    with second_look():
        row = tx.row(
            f"""
            update outbox set state = 'ready', lease_until = null, published_at = null, last_error = :code,
              expiries = 0, attempt = attempt - case when :spend then 0 else 1 end,
              available_at = now() + make_interval(secs => :delay)
            where id = :id and lease_token = :token and {LEASED} returning available_at
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
    """Park a row that repeating cannot heal; it is tried again by itself much later. Returns as `put_back`.

    Raises:
        LeaseLost: as `close`.
    """
    if _gives_way(tx, lease):
        return None
    row = tx.row(
        f"""
        update outbox set state = 'failed', lease_until = null, last_error = :code, expiries = 0,
          available_at = now() + make_interval(secs => :delay)
        where id = :id and lease_token = :token and {LEASED} returning available_at
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


def drop_derivations(tx: Transaction, subject_id: UUID, *, kinds: Sequence[str]) -> int:
    """Delete queued derivations of a person whose everything is being forgotten."""
    return tx.run(
        "delete from outbox where subject_id = :subject and kind = any(:kinds) and state <> 'leased'",
        subject=subject_id,
        kinds=list(kinds),
    )


def _gives_way(tx: Transaction, lease: Lease) -> bool:
    """Delete a leased row whose twin waits already: one of them is enough."""
    gone = tx.run(
        f"""
        delete from outbox o
        where id = :id and lease_token = :token and {LEASED} and operation_id is null
          and exists (select from outbox twin where twin.kind = o.kind and twin.dedupe_key = o.dedupe_key
                      and twin.state = 'ready')
        """,
        id=lease.id,
        token=lease.token,
    )
    return gone == 1


@contextmanager
def second_look() -> Iterator[None]:
    """Start the transaction again when a twin became ready while its statement ran: then it is there to be seen."""
    try:
        yield
    except IntegrityError as error:
        if getattr(getattr(error.orig, "diag", None), "constraint_name", None) != "outbox_coalesced":
            raise
        raise LostRace from None
