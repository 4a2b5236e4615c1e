"""Imports: waiting packages with their keys, and imported receipts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Interval, bindparam, exists, func, select

from shared.kernel import event_log
from shared.kernel.database import Row, Transaction
from shared.kernel.events import ImportAccepted
from shared.kernel.ids import OperationId
from shared.kernel.subjects import Subject
from shared.kernel.tables import subjects
from shared.portability.rules.imports import OPERATION_TYPE, STEP
from shared.portability.sql.exports import File
from shared.portability.sql.tables import imports

ITEM: Final = "import"
"""Item kind under which a package's file is announced; it uses the exports' store."""

_QUEUE: Final = """
  with op as (
    insert into operations (id, subject_id, type, scope, target, status)
    values (:id, :subject, :type, :scope, '{}', 'pending') returning id
  ), import as (
    insert into imports (operation_id, subject_id, generation, namespace, file_key, encryption_key, bytes,
                         restore_forgotten)
    select op.id, :subject, :generation, :namespace, :key, :secret, :size, :restore_forgotten from op
  ), steps as (
    insert into operation_steps (operation_id, name, status) select op.id, :step, 'ready' from op returning id
  ), queued as (
    insert into outbox (operation_id, step_id, subject_id, kind, payload)
    select :id, steps.id, :subject, :kind, '{}' from steps
  )
  insert into events (stream, version, type, data, actor, subject_id, generation)
  select e.stream, e.place, e.type, e.data, :actor, :subject, :generation
  from jsonb_to_recordset(:events) as e(stream text, place integer, type text, data jsonb)
"""
"""One statement, because the fence is held meanwhile. The event is the first of its stream."""

_EVERY: Final = select(imports).order_by(imports.c.operation_id).with_for_update()
_OF_SUBJECT: Final = _EVERY.where(imports.c.subject_id == bindparam("subject"))
_CURRENT: Final = (
    select(imports)
    .where(
        imports.c.operation_id == bindparam("id"),
        exists().where(subjects.c.id == imports.c.subject_id, subjects.c.generation == imports.c.generation),
    )
    .with_for_update()
)
_EXPIRED: Final = (
    select(imports)
    .where(imports.c.created_at < func.clock_timestamp() - bindparam("kept", type_=Interval))
    .order_by(imports.c.created_at)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A package waiting for import; `restore_forgotten`: include items erased when everything was forgotten."""

    operation_id: OperationId
    subject_id: UUID
    generation: int
    file: File
    size: int
    restore_forgotten: bool


def queue(
    tx: Transaction,
    subject: Subject,
    operation_id: OperationId,
    file: File,
    accepted: ImportAccepted,
    *,
    size: int,
    restore_forgotten: bool,
    scope: str,
    kind: str,
    actor: str,
) -> None:
    """Write an import with its operation, event, step and an outbox row of `kind`, in one statement."""
    tx.run(
        _QUEUE,
        **event_log.appended(subject, operation_id, [accepted], actor=actor),
        id=operation_id,
        type=OPERATION_TYPE,
        scope=scope,
        namespace=file.namespace,
        key=file.file_key,
        secret=file.encryption_key,
        size=size,
        restore_forgotten=restore_forgotten,
        step=STEP,
        kind=kind,
    )
    tx.queued = True


def count(tx: Transaction, subject_id: UUID) -> int:
    """Return how many packages of a person wait."""
    found: int = tx.value("select count(*) from imports where subject_id = :subject", subject=subject_id)
    return found


def coming(tx: Transaction, subject_id: UUID) -> int:
    """Return how many packages of a person are being uploaded."""
    found: int = tx.value(
        """
        select count(*) from vector_refs
        where state = 'intended' and deadline > clock_timestamp() and item_kind = :kind and subject_id = :subject
        """,
        kind=ITEM,
        subject=subject_id,
    )
    return found


def read(tx: Transaction, operation_id: UUID) -> Import | None:
    """Return and lock an import that was not withdrawn and belongs to the current generation."""
    row = tx.row(_CURRENT, id=operation_id)
    return _import(row) if row else None


def is_wanted(tx: Transaction, operation_id: UUID) -> bool:
    """Return whether an import was not withdrawn."""
    found: bool = tx.value("select exists (select from imports where operation_id = :id)", id=operation_id)
    return found


def of_subject(tx: Transaction, subject_id: UUID) -> list[Import]:
    """Return and lock every import of a person, of any generation."""
    return [_import(row) for row in tx.rows(_OF_SUBJECT, subject=subject_id)]


def expired(tx: Transaction, kept: timedelta, *, limit: int) -> list[Import]:
    """Return and lock imports that have waited longer than `kept`."""
    return [_import(row) for row in tx.rows(_EXPIRED, kept=kept, limit=limit)]


def every(tx: Transaction) -> list[Import]:
    """Return and lock all imports."""
    return [_import(row) for row in tx.rows(_EVERY)]


def delete(tx: Transaction, operation_ids: Sequence[UUID]) -> None:
    """Destroy the keys of imports, so that their files become unreadable."""
    tx.run("delete from imports where operation_id = any(:ids)", ids=list(operation_ids))


def waits_for_erasure(tx: Transaction, subject_id: UUID) -> bool:
    """Return whether a forget of everything is still erasing this person's data, whose ids are still taken."""
    found: bool = tx.value(
        """
        select exists (select from operations where subject_id = :subject and type = 'forget_user'
                       and erased_at is null and status in ('pending', 'running', 'failed'))
        """,
        subject=subject_id,
    )
    return found


def receipts(tx: Transaction, subject_id: UUID) -> Iterator[str]:
    """Yield a person's imported receipts, as in their packages."""
    rows = tx.stream(
        """
        select r.record from imported_receipts r
        join subjects s on s.id = r.subject_id and s.generation = r.generation
        where r.subject_id = :subject order by r.receipt_id
        """,
        subject=subject_id,
    )
    return (row["record"] for row in rows)


def receipt(tx: Transaction, receipt_id: UUID) -> str | None:
    """Return an imported receipt."""
    found: str | None = tx.value(
        """
        select r.record from imported_receipts r
        join subjects s on s.id = r.subject_id and s.generation = r.generation
        where r.receipt_id = :id order by r.imported_at, r.subject_id limit 1
        """,
        id=receipt_id,
    )
    return found


def _import(row: Row) -> Import:
    return Import(
        operation_id=row["operation_id"],
        subject_id=row["subject_id"],
        generation=row["generation"],
        file=File(namespace=row["namespace"], file_key=row["file_key"], encryption_key=bytes(row["encryption_key"])),
        size=row["bytes"],
        restore_forgotten=row["restore_forgotten"],
    )
