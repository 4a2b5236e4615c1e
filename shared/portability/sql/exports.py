"""Exports: the requested content and, while a package is available, the key to read it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, exists, func, select, update

from shared.kernel import event_log
from shared.kernel.database import Row, Transaction
from shared.kernel.events import ExportAccepted
from shared.kernel.ids import Namespace, OperationId
from shared.kernel.subjects import Subject
from shared.kernel.tables import subjects
from shared.portability.rules.exports import OPERATION_TYPES, STEP, Format, Language, Scope
from shared.portability.sql.tables import exports

STORE: Final = "files"
ITEM: Final = "export"
"""Item kind under which a package's file is announced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to export, and how.

    Args:
        items: for a selection, ids by kind: message, memory.
    """

    scope: Scope
    format: Format
    language: Language
    conversation_id: UUID | None
    items: Mapping[str, Sequence[UUID]]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """Location of a package's file, and its encryption key."""

    namespace: Namespace
    file_key: UUID
    encryption_key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export that was not withdrawn; `ready_at` and the following fields are set once its package is complete."""

    operation_id: OperationId
    subject_id: UUID
    generation: int
    wanted: Wanted
    file: File | None
    snapshot_at: datetime | None
    size: int | None
    sha256: bytes | None
    ready_at: datetime | None
    expires_at: datetime | None


_QUEUE: Final = """
  with op as (
    insert into operations (id, subject_id, type, scope, target, status)
    values (:id, :subject, :type, :scope, '{}', 'pending') returning id
  ), export as (
    insert into exports (operation_id, subject_id, generation, scope, conversation_id, items, format, language)
    select op.id, :subject, :generation, :scope, :conversation, cast(:items as jsonb), :format, :language from op
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

_IS_CURRENT: Final = exists().where(
    subjects.c.id == exports.c.subject_id, subjects.c.generation == exports.c.generation
)
_CURRENT: Final = select(exports).where(exports.c.operation_id == bindparam("id"), _IS_CURRENT)
_BEGUN: Final = (
    update(exports)
    .where(exports.c.operation_id == bindparam("id"), exports.c.ready_at.is_(None), _IS_CURRENT)
    .values(
        namespace=bindparam("within"), file_key=bindparam("key"), encryption_key=bindparam("secret"), snapshot_at=None
    )
    .returning(exports)
)
_EVERY: Final = select(exports).order_by(exports.c.operation_id).with_for_update()
_OF_SUBJECT: Final = _EVERY.where(exports.c.subject_id == bindparam("subject"))
_EXPIRED: Final = (
    select(exports)
    .where(exports.c.expires_at < func.clock_timestamp())
    .order_by(exports.c.expires_at)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)


def queue(
    tx: Transaction, subject: Subject, operation_id: OperationId, wanted: Wanted, *, kind: str, actor: str
) -> None:
    """Write an export with its operation, event, step and an outbox row of `kind`, in one statement."""
    accepted = ExportAccepted(scope=wanted.scope, format=wanted.format)
    tx.run(
        _QUEUE,
        **event_log.appended(subject, operation_id, [accepted], actor=actor),
        id=operation_id,
        type=OPERATION_TYPES[wanted.scope],
        scope=wanted.scope,
        conversation=wanted.conversation_id,
        items=json.dumps({item: [str(one) for one in ids] for item, ids in wanted.items.items()}),
        format=wanted.format,
        language=wanted.language,
        step=STEP,
        kind=kind,
    )
    tx.queued = True


def count(tx: Transaction, subject_id: UUID) -> int:
    """Return how many packages of a person exist or are being written."""
    found: int = tx.value("select count(*) from exports where subject_id = :subject", subject=subject_id)
    return found


def newest_of_format(tx: Transaction, subject_id: UUID, format_: Format) -> UUID | None:
    """Return the newest export of everything in a format that is being written, or was a moment ago."""
    found: UUID | None = tx.value(
        """
        select e.operation_id from exports e
        join subjects s on s.id = e.subject_id and s.generation = e.generation
        where e.subject_id = :subject and e.format = :format and e.scope = 'user'
          and (e.ready_at is null or e.ready_at > now() - interval '1 minute')
        order by e.operation_id desc limit 1
        """,
        subject=subject_id,
        format=format_,
    )
    return found


def read(tx: Transaction, operation_id: UUID) -> Export | None:
    """Return an export that was not withdrawn and belongs to the current generation."""
    row = tx.row(_CURRENT, id=operation_id)
    return _export(row) if row else None


def readable_file(tx: Transaction, operation_id: UUID) -> File | None:
    """Return location and key of a finished package; None if it was withdrawn or has expired."""
    row = tx.row(
        """
        select e.namespace, e.file_key, e.encryption_key from exports e
        join subjects s on s.id = e.subject_id and s.generation = e.generation
        where e.operation_id = :id and e.ready_at is not null and e.expires_at > clock_timestamp()
        """,
        id=operation_id,
    )
    return _file(row) if row else None


def begin(tx: Transaction, operation_id: UUID, file: File) -> Export | None:
    """Assign another file to an unfinished export; None if it was withdrawn or belongs to an earlier generation."""
    row = tx.row(
        _BEGUN,
        id=operation_id,
        within=file.namespace,
        key=file.file_key,
        secret=file.encryption_key,
    )
    return _export(row) if row else None


def is_being_written(tx: Transaction, operation_id: UUID, file_key: UUID) -> bool:
    """Return whether the export is still written to this file, and lock the row until the transaction ends."""
    rows = tx.rows(
        "select 1 from exports where operation_id = :id and file_key = :key and ready_at is null for update",
        id=operation_id,
        key=file_key,
    )
    return bool(rows)


def finish(
    tx: Transaction,
    operation_id: UUID,
    file_key: UUID,
    *,
    size: int,
    sha256: bytes,
    snapshot_at: datetime,
    kept: timedelta,
) -> bool:
    """Make a package available for the time `kept`; False if its file no longer belongs to the export."""
    finished = tx.run(
        """
        update exports set bytes = :size, sha256 = :sha256, snapshot_at = :snapshot, ready_at = statement_timestamp(),
          expires_at = statement_timestamp() + cast(:kept as interval)
        where operation_id = :id and file_key = :key and ready_at is null
        """,
        id=operation_id,
        key=file_key,
        size=size,
        sha256=sha256,
        snapshot=snapshot_at,
        kept=kept,
    )
    return finished == 1


def of_subject(tx: Transaction, subject_id: UUID) -> list[Export]:
    """Return and lock every export of a person, of any generation."""
    return [_export(row) for row in tx.rows(_OF_SUBJECT, subject=subject_id)]


def expired(tx: Transaction, *, limit: int) -> list[Export]:
    """Return and lock expired packages."""
    return [_export(row) for row in tx.rows(_EXPIRED, limit=limit)]


def every(tx: Transaction) -> list[Export]:
    """Return and lock all exports."""
    return [_export(row) for row in tx.rows(_EVERY)]


def delete(tx: Transaction, operation_ids: Sequence[UUID]) -> None:
    """Destroy the keys of exports, so that their files become unreadable."""
    tx.run("delete from exports where operation_id = any(:ids)", ids=list(operation_ids))


def _export(row: Row) -> Export:
    return Export(
        wanted=Wanted(
            scope=row["scope"],
            format=row["format"],
            language=row["language"],
            conversation_id=row["conversation_id"],
            items={kind: [UUID(one) for one in ids] for kind, ids in row["items"].items()},
        ),
        file=_file(row) if row["file_key"] else None,
        size=row["bytes"],
        sha256=bytes(row["sha256"]) if row["sha256"] else None,
        operation_id=row["operation_id"],
        subject_id=row["subject_id"],
        generation=row["generation"],
        snapshot_at=row["snapshot_at"],
        ready_at=row["ready_at"],
        expires_at=row["expires_at"],
    )


def _file(row: Row) -> File:
    return File(namespace=row["namespace"], file_key=row["file_key"], encryption_key=bytes(row["encryption_key"]))
