"""Rows that come back to the queue: their lease expired, their time has come, or their person asks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import LOST_EXPIRIES, QUARANTINE_EXPIRIES
from shared.outbox.sql.outbox import second_look


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A row that failed for now because whoever worked on it died, again and again."""

    kind: str
    subject_id: UUID
    operation_id: UUID | None
    step_id: int | None
    retry_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived:
    """How many rows returned to the queue, and those that were parked instead."""

    returned: int
    parked: tuple[Parked, ...]


def revive(tx: Transaction, *, lost_code: str, retry_seconds: float, expired_within: float | None = None) -> Revived:
    """Return expired leases, and failed rows whose time has come, to the queue.

    Of twins the newest returns, and none beside one that is ready already; the others are deleted, and how often they
    expired is not forgotten. A row that lost its worker too often in a row is parked instead. Whatever tries it again
    finds it with the expiries of quarantine: nowhere else may it do harm.

    Args:
        lost_code: why such a row is parked.
        retry_seconds: how long.
        expired_within: act only where something has been due for at most so many seconds; None for any time. While a
            snapshot is held open, the indexes keep every lease there was since, and looking is cheap only at their end.
    """
    # Asked several times a second, and hardly ever the case: two looks into small indexes settle it.
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
    """Make an operation's failed and delayed rows due now, but for one that may still be undone; returns how many."""
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
