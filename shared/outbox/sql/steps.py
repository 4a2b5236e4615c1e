"""The steps of an operation as shown to the person, and the operation status derived from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction


def start(tx: Transaction, step_ids: Sequence[int]) -> None:
    """Mark steps as running, and pending operations too; an operation with a failed step stays failed."""
    tx.run(
        """
        with started as (
          update operation_steps set status = 'running', attempts = attempts + 1, next_retry_at = null,
            started_at = coalesce(started_at, clock_timestamp())
          where id = any(:ids) returning operation_id
        )
        update operations set version = version + 1, updated_at = now(),
          status = case when status = 'pending' then 'running' else status end
        where id in (select id from operations where id in (select operation_id from started) order by id for update)
        """,
        ids=list(step_ids),
    )


def delay(tx: Transaction, step_id: int, *, status: str, error: str, retry_at: datetime, spent: bool = True) -> UUID:
    """Show why a step waits and when it is retried; return its operation. `spent`: whether this used an attempt."""
    operation_id: UUID = tx.value(
        """
        with delayed as (
          update operation_steps set status = :status, last_error = :error, next_retry_at = :retry_at,
            attempts = attempts - case when :spent then 0 else 1 end
          where id = :id returning operation_id
        )
        update operations set last_error = :error, version = version + 1,
          retry_count = retry_count + case when :spent then 1 else 0 end, updated_at = now()
        where id = (select operation_id from delayed) returning id
        """,
        id=step_id,
        status=status,
        error=error,
        retry_at=retry_at,
        spent=spent,
    )
    _derive_status(tx, [operation_id])
    return operation_id


def close(tx: Transaction, step_id: int, counts: Mapping[str, int]) -> dict[str, str]:
    """Mark a step as succeeded; return the status of every step of its operation, by name."""
    operation_id = tx.value(
        """
        with closed as (
          update operation_steps set status = 'succeeded', counts = cast(:counts as jsonb), last_error = null,
            next_retry_at = null, finished_at = clock_timestamp()
          where id = :id returning operation_id
        )
        update operations set version = version + 1, updated_at = now()
        where id = (select operation_id from closed) returning id
        """,
        id=step_id,
        counts=json.dumps(dict(counts)),
    )
    return _derive_status(tx, [operation_id]).get(operation_id, {})


def note(tx: Transaction, step_id: int, counts: Mapping[str, int]) -> None:
    """Store the interim counts of a running step."""
    tx.run(
        """
        with noted as (
          update operation_steps set counts = cast(:counts as jsonb) where id = :id and status = 'running'
          returning operation_id
        )
        update operations set version = version + 1, updated_at = now() where id = (select operation_id from noted)
        """,
        id=step_id,
        counts=json.dumps(dict(counts)),
    )


def counts(tx: Transaction, step_id: int) -> dict[str, int]:
    """Return the counts of a step so far."""
    found: dict[str, int] = tx.value("select counts from operation_steps where id = :id", id=step_id)
    return found


def make_ready(tx: Transaction, operation_id: UUID, subject_id: UUID, kinds: Mapping[str, str]) -> None:
    """Start waiting steps: step name → outbox kind."""
    tx.run(
        """
        with readied as (
          update operation_steps set status = 'ready' where operation_id = :id and name = any(:names)
            and status = 'waiting' returning id, name
        )
        insert into outbox (operation_id, step_id, subject_id, kind, payload, priority)
        select :id, readied.id, :subject, k.kind, '{}', 10 from readied
        join unnest(cast(:names as text[]), cast(:kinds as text[])) as k(name, kind) using (name)
        """,
        id=operation_id,
        subject=subject_id,
        names=list(kinds),
        kinds=list(kinds.values()),
    )
    tx.queued = True


def reopen_failed(tx: Transaction, operation_id: UUID) -> None:
    """Mark failed steps as ready again."""
    rows = tx.rows(
        """
        with reopened as (
          update operation_steps set status = 'ready', next_retry_at = null
          where operation_id = :id and status = 'failed' returning operation_id
        )
        update operations set version = version + 1, updated_at = now()
        where id in (select id from operations where id in (select operation_id from reopened) order by id for update)
        returning id
        """,
        id=operation_id,
    )
    _derive_status(tx, [row["id"] for row in rows])


def reopen_revived(tx: Transaction) -> None:
    """Mark steps as ready whose outbox row returned to the queue."""
    rows = tx.rows(
        """
        with reopened as (
          update operation_steps s set status = 'ready', next_retry_at = null from outbox o
          where o.step_id = s.id and o.state = 'ready' and s.status in ('running', 'failed') and o.published_at is null
          returning s.operation_id
        )
        update operations set version = version + 1, updated_at = now()
        where id in (select id from operations where id in (select operation_id from reopened) order by id for update)
        returning id
        """
    )
    _derive_status(tx, [row["id"] for row in rows])


def _derive_status(tx: Transaction, operation_ids: Sequence[UUID]) -> dict[UUID, dict[str, str]]:
    """Derive operation statuses: succeeded if all steps are, failed if one is, running if one started.

    Returns, for each unfinished operation, the status of its steps by name. Call it after the statement that changed a
    step and its operation: it locks the operation's row, so this one sees concurrent changes of other steps.
    """
    rows = tx.rows(
        """
        update operations o set status = derived.status, progress = derived.progress,
          last_error = case when derived.status = 'succeeded' then null else o.last_error end
        from (
          select operation_id, jsonb_object_agg(name, status) as steps,
            (count(*) filter (where status = 'succeeded'))::real / count(*) as progress,
            case when bool_and(status = 'succeeded') then 'succeeded'
                 when bool_or(status = 'failed') then 'failed'
                 when bool_or(started_at is not null) then 'running' else 'pending' end as status
          from operation_steps where operation_id = any(:ids) group by operation_id
        ) as derived
        where o.id = derived.operation_id and o.status in ('pending', 'running', 'failed')
        returning o.id, derived.steps
        """,
        ids=list(operation_ids),
    )
    return {row["id"]: row["steps"] for row in rows}
