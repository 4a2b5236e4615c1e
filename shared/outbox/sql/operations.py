"""Operations and their steps: the progress a person sees of a forget, export or import."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, Uuid, any_, bindparam, select
from sqlalchemy.dialects.postgresql import ARRAY

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import Event
from shared.kernel.ids import OperationId
from shared.kernel.subjects import Subject
from shared.outbox.sql import targets
from shared.outbox.sql.tables import operation_steps, operations
from shared.outbox.sql.targets import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, for display."""

    name: str
    status: str
    attempts: int
    counts: dict[str, int]
    last_error: str | None
    next_retry_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation, for display."""

    id: OperationId
    type: str
    scope: str
    status: str
    progress: float
    retry_count: int
    last_error: str | None
    receipt_id: UUID | None
    unrecallable_at: datetime | None
    erased_at: datetime | None
    purged_at: datetime | None
    not_before: datetime | None
    version: int
    created_at: datetime
    updated_at: datetime
    steps: tuple[Step, ...]


_SHOWN: Final = select(*(operations.c[name] for name in Operation.__dataclass_fields__ if name != "steps"))
_STEPS: Final = (
    select(operation_steps.c.operation_id, *(operation_steps.c[name] for name in Step.__dataclass_fields__))
    .where(operation_steps.c.operation_id == any_(bindparam("ids", type_=ARRAY(Uuid))))
    .order_by(operation_steps.c.id)
)
_ACCEPT: Final = """
  with op as (
    insert into operations (id, subject_id, type, scope, target, status, unrecallable_at, receipt_id, run, not_before)
    values (:id, :subject, :type, :scope, cast(:target as jsonb), 'pending', clock_timestamp(), :receipt, :run,
            case when :undo > 0 then now() + make_interval(secs => :undo) end)
  ), hidden as (
    insert into hides (kind, item_id, op_id)
    select kind, id, :id from unnest(cast(:hidden_kinds as text[]), cast(:hidden_ids as uuid[])) as h(kind, id)
  ), wanted as (
    select * from jsonb_to_recordset(:steps) as s(name text, status text, kind text)
  ), steps as (
    insert into operation_steps (operation_id, name, status)
    select :id, name, status from wanted returning id, name
  ), queued as (
    insert into outbox (operation_id, step_id, subject_id, kind, payload, priority, available_at)
    select :id, steps.id, :subject, wanted.kind, '{}', 10, now() + make_interval(secs => :undo)
    from steps join wanted using (name) where wanted.status = 'ready'
  )
  insert into events (stream, version, type, data, actor, subject_id, generation)
  select e.stream, coalesce((select max(version) from events where stream = e.stream), 0) + e.place,
         e.type, e.data, :actor, :subject, :generation
  from jsonb_to_recordset(:events) as e(stream text, place integer, type text, data jsonb)
  order by e.place
"""
"""One statement, because the fence is held meanwhile; it ends as `event_log.APPEND`."""


def accept(
    tx: Transaction,
    subject: Subject,
    target: Target,
    event: Event,
    *,
    actor: str,
    hidden: Mapping[str, Sequence[UUID]],
    type_: str,
    ready: Mapping[str, str],
    waiting: Sequence[str],
    receipt_id: UUID,
    undo_seconds: int = 0,
    run: int = 0,
) -> None:
    """Create an operation with its event, its steps and the outbox rows of its ready steps, and hide its items.

    Args:
        event: the first event of the operation's stream.
        actor: who requested it.
        hidden: items by kind, invisible from this commit on.
        ready: step name → outbox kind.
        waiting: steps that start when earlier steps have closed.
        receipt_id: the id of the receipt.
        undo_seconds: delay before the first step starts; until then the operation can be cancelled.
        run: how many times it was repeated after a restored backup.
    """
    steps: list[dict[str, str | None]] = [
        {"name": name, "status": "ready", "kind": kind} for name, kind in ready.items()
    ]
    steps += [{"name": name, "status": "waiting", "kind": None} for name in waiting]
    hides = [(kind, item) for kind, ids in hidden.items() for item in ids]
    tx.run(
        _ACCEPT,
        **event_log.appended(subject, target.operation_id, [event], actor=actor),
        id=target.operation_id,
        hidden_kinds=[kind for kind, _ in hides],
        hidden_ids=[item for _, item in hides],
        type=type_,
        scope=target.scope,
        target=json.dumps(targets.as_saved(target)),
        steps=json.dumps(steps),
        receipt=receipt_id,
        undo=undo_seconds,
        run=run,
    )
    tx.queued = True


def hidden(tx: Transaction, operation_id: UUID, kind: str) -> list[UUID]:
    """Return the items of one kind that an operation hid."""
    rows = tx.rows(
        "select item_id from hides where op_id = :operation and kind = :kind", operation=operation_id, kind=kind
    )
    return [row["item_id"] for row in rows]


def all_hidden(tx: Transaction, operation_id: UUID) -> dict[str, list[UUID]]:
    """Return the items that an operation hid, by kind."""
    rows = tx.rows(
        "select kind, item_id from hides where op_id = :operation order by kind, item_id", operation=operation_id
    )
    found: dict[str, list[UUID]] = {}
    for row in rows:
        found.setdefault(row["kind"], []).append(row["item_id"])
    return found


def unhide(tx: Transaction, operation_id: UUID) -> None:
    """Delete an operation's hides, because the items are erased or the operation is undone."""
    tx.run("delete from hides where op_id = :operation", operation=operation_id)


def mark_erased(tx: Transaction, operation_id: UUID) -> None:
    """Record the time at which every store was searched and found empty."""
    tx.run("update operations set erased_at = clock_timestamp() where id = :id", id=operation_id)


def cancel(tx: Transaction, operation_id: UUID) -> None:
    """Mark an operation and its steps as cancelled."""
    tx.run("update operation_steps set status = 'cancelled' where operation_id = :id", id=operation_id)
    tx.run(
        "update operations set status = 'cancelled', version = version + 1, updated_at = now() where id = :id",
        id=operation_id,
    )


def may_be_undone(tx: Transaction, operation_id: UUID) -> bool:
    """Return whether an operation can still be undone; call it under the fence."""
    lasts: bool | None = tx.value(
        "select not_before > clock_timestamp() from operations where id = :id", id=operation_id
    )
    return bool(lasts)


def undo_ends_in(tx: Transaction, subject_id: UUID) -> float:
    """Return in how many seconds this person's last undo period ends; 0 if no forget can be undone.

    An item hidden by such a forget may return, so a caller that finds it missing must wait until then.
    """
    seconds: float | None = tx.value(
        """
        select extract(epoch from max(not_before) - clock_timestamp())::float8 from operations
        where subject_id = :subject and status = 'pending' and not_before > clock_timestamp()
        """,
        subject=subject_id,
    )
    return max(0.0, seconds or 0.0)


def read(tx: Transaction, subject_id: UUID, operation_id: UUID) -> Operation | None:
    """Return an operation of this person."""
    found = _read(tx, _SHOWN.where(operations.c.subject_id == subject_id, operations.c.id == operation_id))
    return found[0] if found else None


def exists(tx: Transaction, operation_id: UUID) -> bool:
    """Return whether the operation exists, for any person."""
    found: bool = tx.value("select exists (select from operations where id = :id)", id=operation_id)
    return found


def of_receipt(tx: Transaction, receipt_id: UUID) -> Operation | None:
    """Return the operation of a receipt, for any person."""
    found = _read(tx, _SHOWN.where(operations.c.receipt_id == receipt_id))
    return found[0] if found else None


def page(tx: Transaction, subject_id: UUID, *, before: UUID | None, limit: int) -> list[Operation]:
    """Return a person's operations, newest first."""
    newest = _SHOWN.where(operations.c.subject_id == subject_id).order_by(operations.c.id.desc()).limit(limit)
    return _read(tx, newest if before is None else newest.where(operations.c.id < before))


def _read(tx: Transaction, shown: Select[Any]) -> list[Operation]:
    found = tx.rows(shown)
    steps: dict[UUID, list[Step]] = {row["id"]: [] for row in found}
    for row in tx.rows(_STEPS, ids=list(steps)):
        steps[row["operation_id"]].append(Step(**{name: row[name] for name in Step.__dataclass_fields__}))
    return [Operation(**row, steps=tuple(steps[row["id"]])) for row in found]
