"""Return rows to the queue: after an expired lease, a due failure, or a person's retry."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import LOST_EXPIRIES, QUARANTINE_EXPIRIES
from shared.outbox.sql.outbox import second_look


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A row that was marked as failed because it repeatedly lost its worker."""

    kind: str
    subject_id: UUID
    operation_id: UUID | None
    step_id: int | None
    retry_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived:
    """The number of rows that were returned to the queue, and the rows marked as failed instead."""

    returned: int
    parked: tuple[Parked, ...]


def revive(tx: Transaction, *, lost_code: str, retry_seconds: float, expired_within: float | None = None) -> Revived:
    """Return expired leases and due failed rows to the queue.

    Of rows with the same dedupe key only the newest is re-queued, and none if one is ready; the others are deleted, and
    the remaining row keeps the highest expiry count. A row with too many consecutive expiries is marked as failed
    instead, with the expiry count of quarantine: its next attempt runs in the quarantine process only.

    Args:
        lost_code: the error code of such a row.
        retry_seconds: the delay before its next attempt.
        expired_within: act only if something became due in the last so many seconds; None for no limit. While a
            snapshot is open, the indexes retain all old leases and only their end is cheap to read.
    """
    # This runs several times a second and rarely finds anything; two lookups in small indexes decide.
    wanted = tx.value(
        """
        select exists (select from outbox where state = 'leased' and lease_until < now()
                       and lease_until > now() - make_interval(secs => coalesce(:within, 1e9)))
          or exists (select from outbox where state = 'failed' and available_at <= now()
                     and available_at > now() - make_interval(secs => coalesce(:within, 1e9)))
        """,
        within=expired_within,
    )
    if not wanted:
        return Revived(returned=0, parked=())
    with second_look():
        rows = tx.rows(
            """
            with due as (
              select id, kind, dedupe_key, state = 'leased' as expired,
                expiries + case when state = 'leased' then 1 else 0 end as expiries
              from outbox
              where (state = 'leased' and lease_until < now()) or (state = 'failed' and available_at <= now())
              for update skip locked
            ), ranked as (
              select id, kind, dedupe_key, expired, max(expiries) over twins as expiries, dedupe_key is null or (
                row_number() over (twins order by id desc) = 1
                and not exists (select from outbox twin where twin.kind = due.kind and twin.dedupe_key = due.dedupe_key
                                and twin.state = 'ready')) as returns
              from due
              window twins as (partition by kind, dedupe_key, case when dedupe_key is null then id end)
            ), surplus as (
              delete from outbox where id in (select id from ranked where not returns) and operation_id is null
            ), heirs as (
              update outbox twin set expiries = gone.expiries
              from (select distinct kind, dedupe_key, expiries from ranked where not returns) as gone
              where twin.kind = gone.kind and twin.dedupe_key = gone.dedupe_key and twin.state = 'ready'
                and twin.expiries < gone.expiries
            ), decided as (
              select id, expiries, expired and expiries >= :lost as parked from ranked where returns
            )
            update outbox o set published_at = null, lease_until = null,
              state = case when parked then 'failed' else 'ready' end,
              expiries = case when parked then :quarantine else decided.expiries end,
              last_error = case when parked then :code else last_error end,
              available_at = case when parked then now() + make_interval(secs => :delay) else available_at end
            from decided where o.id = decided.id
            returning parked, kind, subject_id, operation_id, step_id, available_at as retry_at
            """,
            lost=LOST_EXPIRIES,
            quarantine=QUARANTINE_EXPIRIES,
            code=lost_code,
            delay=retry_seconds,
        )
    parked = tuple(Parked(**{field.name: row[field.name] for field in fields(Parked)}) for row in rows if row["parked"])
    return Revived(returned=len(rows) - len(parked), parked=parked)


def retry_operation(tx: Transaction, operation_id: UUID) -> int:
    """Make an operation's failed and delayed rows due now, unless it can still be undone; return how many."""
    touched = tx.run(
        """
        update outbox set state = 'ready', published_at = null, available_at = now()
        where operation_id = :operation and (state = 'failed' or (state = 'ready' and available_at > now()))
          and not exists (select from operations where id = :operation and not_before > now())
        """,
        operation=operation_id,
    )
    tx.queued = tx.queued or touched > 0
    return touched
