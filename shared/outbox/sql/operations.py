"""Operations and their steps: the progress a person sees of a forget, export or import."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Row, Transaction
from shared.kernel.events import Event
from shared.kernel.ids import Namespace, OperationId
from shared.kernel.spans import Span
from shared.kernel.subjects import Subject


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


Parts: TypeAlias = Mapping[str, Mapping[UUID, tuple[Span, ...]]]
"""Spans of items, by kind and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an operation erases. It remains after the rows it names are deleted.

    Args:
        generation, namespace: under which the content was written.
        after, through: bounds on the message seqs of a conversation or clear operation.
        survivors: turns to learn from again.
        preferences: whether remaining feedback signals may still support an erased preference.
        close_account: whether settings, user name and key are erased too.
        parts: items of which only some spans are erased, by kind and id; the rest of each is rewritten.
        rewritten: whether that rewrite was done.
        noted: what else the ledger records, for a replay; no content.
    """

    operation_id: OperationId
    subject_id: UUID
    scope: str
    generation: int
    namespace: Namespace
    conversation_id: UUID | None = None
    after: int = 0
    through: int = 0
    survivors: tuple[tuple[UUID, int], ...] = ()
    preferences: bool = False
    close_account: bool = False
    parts: Parts = field(default_factory=dict)
    rewritten: bool = False
    noted: Mapping[str, Any] = field(default_factory=dict)

    @property
    def learn_again(self) -> bool:
        """Whether something it hides has other sources, so that it must be learned again."""
        return bool(self.survivors) or self.preferences


COLUMNS = """id, type, scope, status, progress, retry_count, last_error, receipt_id, unrecallable_at, erased_at,
  purged_at, not_before, version, created_at, updated_at"""


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

    One statement, because the fence is held meanwhile.

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
        f"""
        with op as (
          insert into operations (id, subject_id, type, scope, target, status, unrecallable_at, receipt_id, run,
                                  not_before)
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
          select :id, steps.id, :subject, wanted.kind, '{{}}', 10, now() + make_interval(secs => :undo)
          from steps join wanted using (name) where wanted.status = 'ready'
        )
        {event_log.APPEND}
        """,  # noqa: S608 # constants
        **event_log.appended(subject, target.operation_id, [event], actor=actor),
        id=target.operation_id,
        hidden_kinds=[kind for kind, _ in hides],
        hidden_ids=[item for _, item in hides],
        type=type_,
        scope=target.scope,
        target=json.dumps(
            {
                "generation": target.generation,
                "namespace": str(target.namespace),
                "conversation_id": str(target.conversation_id) if target.conversation_id else None,
                "after": target.after,
                "through": target.through,
                "survivors": [[str(conversation), turn] for conversation, turn in target.survivors],
                "preferences": target.preferences,
                "close_account": target.close_account,
                **({"parts": _wire(target.parts)} if target.parts else {}),
                **({"noted": dict(target.noted)} if target.noted else {}),
            }
        ),
        steps=json.dumps(steps),
        receipt=receipt_id,
        undo=undo_seconds,
        run=run,
    )
    tx.queued = True


def target(tx: Transaction, operation_id: UUID) -> Target:
    """Return what an operation erases."""
    row = tx.row("select id, subject_id, scope, target from operations where id = :id", id=operation_id)
    assert row is not None  # noqa: S101 # outbox rows name existing operations
    return _target(row)


def targets(tx: Transaction, operation_ids: Sequence[UUID]) -> dict[UUID, Target]:
    """Return what each operation erases, by operation id."""
    rows = tx.rows("select id, subject_id, scope, target from operations where id = any(:ids)", ids=list(operation_ids))
    return {row["id"]: _target(row) for row in rows}


def _target(row: Row) -> Target:
    saved = row["target"]
    return Target(
        operation_id=row["id"],
        subject_id=row["subject_id"],
        scope=row["scope"],
        generation=saved["generation"],
        namespace=Namespace(UUID(saved["namespace"])),
        conversation_id=UUID(saved["conversation_id"]) if saved["conversation_id"] else None,
        after=saved["after"],
        through=saved["through"],
        survivors=tuple((UUID(conversation), turn) for conversation, turn in saved["survivors"]),
        preferences=saved.get("preferences", False),
        close_account=saved.get("close_account", False),
        parts={
            kind: {UUID(item): tuple((start, end) for start, end in spans) for item, spans in items.items()}
            for kind, items in saved.get("parts", {}).items()
        },
        rewritten=saved.get("rewritten", False),
        noted=saved.get("noted", {}),
    )


def _wire(parts: Parts) -> dict[str, dict[str, list[list[int]]]]:
    return {
        kind: {str(item): [list(span) for span in spans] for item, spans in items.items()}
        for kind, items in parts.items()
    }


def mark_rewritten(tx: Transaction, operation_id: UUID) -> None:
    """Record that the remainder of the operation's partly erased items was rewritten."""
    tx.run(
        "update operations set target = target || '{\"rewritten\": true}' where id = :id",
        id=operation_id,
    )


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
    found = _read(
        tx,
        f"select {COLUMNS} from operations where subject_id = :subject and id = :id",  # noqa: S608
        subject=subject_id,
        id=operation_id,
    )
    return found[0] if found else None


def exists(tx: Transaction, operation_id: UUID) -> bool:
    """Return whether the operation exists, for any person."""
    found: bool = tx.value("select exists (select from operations where id = :id)", id=operation_id)
    return found


def of_receipt(tx: Transaction, receipt_id: UUID) -> Operation | None:
    """Return the operation of a receipt, for any person."""
    found = _read(tx, f"select {COLUMNS} from operations where receipt_id = :id", id=receipt_id)  # noqa: S608
    return found[0] if found else None


def page(tx: Transaction, subject_id: UUID, *, before: UUID | None, limit: int) -> list[Operation]:
    """Return a person's operations, newest first."""
    return _read(
        tx,
        f"""select {COLUMNS} from operations where subject_id = :subject
        and (cast(:before as uuid) is null or id < :before) order by id desc limit :limit""",  # noqa: S608
        subject=subject_id,
        before=before,
        limit=limit,
    )


def _read(tx: Transaction, sql: str, **values: Any) -> list[Operation]:
    found = tx.rows(sql, **values)
    steps: dict[UUID, list[Row]] = {row["id"]: [] for row in found}
    for step in tx.rows(
        """
        select operation_id, name, status, attempts, counts, last_error, next_retry_at, started_at, finished_at
        from operation_steps where operation_id = any(:ids) order by id
        """,
        ids=list(steps),
    ):
        steps[step["operation_id"]].append(step)
    return [
        Operation(
            **row,
            steps=tuple(Step(**{name: step[name] for name in Step.__dataclass_fields__}) for step in steps[row["id"]]),
        )
        for row in found
    ]
