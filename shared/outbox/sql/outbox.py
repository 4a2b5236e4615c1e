"""The outbox: each external effect is one row, claimed under a lease and closed with its lease token."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from shared.kernel.database import Transaction
from shared.kernel.database_errors import LostRace

CHANNEL = "memory_center_outbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One external effect to queue.

    At most one ready row exists per kind and `dedupe_key`. Rows of an operation have no dedupe key, because each
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


def add(tx: Transaction, subject_id: UUID, work: Sequence[Work]) -> None:
    """Queue work in this transaction; ready rows with the same kind and dedupe key are merged.

    A failed row with that key is replaced and its attempt counts carry over. A leased row with that key may have read
    old state, so a new row is added beside it.
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


def bring_forward(tx: Transaction, kind: str, dedupe_key: str) -> None:
    """Make a waiting row due now."""
    tx.run(
        """
        update outbox set available_at = now(), published_at = null
        where kind = :kind and dedupe_key = :key and state = 'ready' and available_at > now()
        """,
        kind=kind,
        key=dedupe_key,
    )
    tx.queued = True


def put_off(tx: Transaction, kind: str, dedupe_key: str, *, seconds: float) -> bool:
    """Let a row that is not due yet wait so long from now; return whether there is a ready row, due or not.

    What failed or was postponed waits for its own time.
    """
    rows = tx.rows(
        """
        update outbox set available_at = case when available_at > now() and last_error is null
                                              then now() + make_interval(secs => :seconds) else available_at end
        where kind = :kind and dedupe_key = :key and state = 'ready' returning id
        """,
        kind=kind,
        key=dedupe_key,
        seconds=seconds,
    )
    return bool(rows)


def withdraw_operation(tx: Transaction, operation_id: UUID) -> bool:
    """Delete an operation's rows if none of its steps has started; return whether they were deleted.

    A started step may have written to the ledger file even if its outbox row looks new, as rows of later stages do.
    Claiming takes no fence, so the rows are locked before the steps are checked.
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
    """Delete an operation's rows, even leased ones, because the work is no longer needed."""
    tx.run("delete from outbox where operation_id = :operation", operation=operation_id)


def drop_derivations(tx: Transaction, subject_id: UUID, *, kinds: Sequence[str]) -> int:
    """Delete a person's unleased rows of these kinds because they forget everything; return how many."""
    return tx.run(
        "delete from outbox where subject_id = :subject and kind = any(:kinds) and state <> 'leased'",
        subject=subject_id,
        kinds=list(kinds),
    )


@contextmanager
def second_look() -> Iterator[None]:
    """Retry the transaction if a row with the same dedupe key became ready while the statement ran."""
    try:
        yield
    except IntegrityError as error:
        if getattr(getattr(error.orig, "diag", None), "constraint_name", None) != "outbox_coalesced":
            raise
        raise LostRace from None
