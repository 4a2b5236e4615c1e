"""Export a person's data: accepted at once, packed by a worker from one snapshot (MC-12, X-09)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from shared.conversations.sql import conversations
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ExportGone, ExportNotReady, NotFound, TooManyExports
from shared.kernel.events import ExportCompleted, ExportDownloaded
from shared.kernel.ids import OperationId
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent
from shared.outbox.job_kinds import EXPORT_BUILD
from shared.outbox.sql import leasing, operations, steps
from shared.outbox.sql.leasing import Lease, LeaseLost
from shared.outbox.stages import close_step
from shared.portability.revoke import discard_file
from shared.portability.rules.exports import AT_ONCE, OPERATION_TYPES
from shared.portability.sql import exporting, exports
from shared.portability.sql.exports import Export, File, Wanted

KEY_BYTES = 32
"""AES-256."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One attempt to write a package: the person, the export, and a file that only this attempt writes."""

    lease: Lease
    subject: Subject
    export: Export
    file: File


def ask_to_export(tx: Transaction, subject: Subject, wanted: Wanted, *, actor: str) -> OperationId:
    """Queue an export and return its operation.

    Raises:
        NotFound: the conversation or a selected item does not exist or is not this person's.
        TooManyExports: this person has the maximum number of packages.
        SubjectBusy: the fence could not be entered in time.
    """
    subject = subjects.entered(tx, subject)
    if wanted.conversation_id is not None and not conversations.is_visible(tx, subject.id, wanted.conversation_id):
        raise NotFound("conversation")
    if exports.count(tx, subject.id) >= AT_ONCE:
        raise TooManyExports
    operation_id = OperationId(new_id())
    exports.queue(tx, subject, operation_id, wanted, kind=EXPORT_BUILD, actor=actor)
    return operation_id


def selected(tx: Transaction, subject: Subject, ids: set[UUID]) -> dict[str, list[UUID]]:
    """Return the visible messages and memories with these ids, by kind.

    Raises:
        NotFound: an id is neither.
    """
    found = exporting.kinds(tx, subject.id, sorted(ids))
    if sum(map(len, found.values())) != len(ids):
        raise NotFound("item")
    return found


def begin_export(tx: Transaction, lease: Lease) -> Assignment:
    """Announce a file for this attempt under a new key, and queue the removal of an earlier attempt's file.

    Raises:
        LeaseLost: another worker holds the row now, or the exported data was forgotten.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    operation_id = _operation(lease)
    earlier = exports.read(tx, operation_id)
    if subject is None or earlier is None or not leasing.still_held(tx, [lease]):
        raise LeaseLost
    discard_file(tx, earlier)
    file = File(namespace=subject.namespace, file_key=uuid4(), encryption_key=secrets.token_bytes(KEY_BYTES))
    export = exports.begin(tx, operation_id, file)
    if export is None:
        raise LeaseLost
    intent = Intent(pk=file.file_key, item_kind=exports.ITEM, item_id=operation_id)
    vector_keys.announce(tx, subject, exports.STORE, [intent], step_id=lease.id)
    return Assignment(lease=lease, subject=subject, export=export, file=file)


def keep_exporting(tx: Transaction, assignment: Assignment, counts: Mapping[str, int]) -> None:
    """Extend the deadline of a package that is still being written, and record the progress.

    Raises:
        LeaseLost: the export was withdrawn or is written by another worker: stop and remove the file.
    """
    key = assignment.file.file_key
    if not exports.is_being_written(tx, assignment.export.operation_id, key) or not vector_keys.prolong(tx, [key]):
        raise LeaseLost
    if assignment.lease.step_id is not None:
        steps.note(tx, assignment.lease.step_id, counts)


def finish_export(
    tx: Transaction,
    assignment: Assignment,
    counts: Mapping[str, int],
    *,
    size: int,
    sha256: bytes,
    snapshot_at: datetime,
    kept: timedelta,
) -> None:
    """Make a package available, under the fence: an earlier forget makes this fail, a later one revokes the package.

    Args:
        kept: how long it is available.

    Raises:
        LeaseLost: as `keep_exporting`.
        IntentsLost: its key was given up meanwhile; it is written again under a new one.
    """
    enter_fence(tx, assignment.subject.id)
    subject = subjects.read(tx, assignment.subject.id)
    operation_id, key = assignment.export.operation_id, assignment.file.file_key
    if subject is None or subject.generation != assignment.export.generation:
        raise LeaseLost
    if not exports.finish(tx, operation_id, key, size=size, sha256=sha256, snapshot_at=snapshot_at, kept=kept):
        raise LeaseLost
    vector_keys.confirm(tx, [key])
    event_log.append(tx, subject, operation_id, [ExportCompleted(size=size)], actor="system:exporter")
    close_step(tx, assignment.lease, counts)


def find_export(tx: Transaction, subject: Subject, operation_id: UUID) -> Export:
    """Return a person's export whose package is or will be available.

    Raises:
        NotFound: it is not an export of this person.
        ExportGone: it was withdrawn.
    """
    operation = operations.read(tx, subject.id, operation_id)
    if operation is None or operation.type not in OPERATION_TYPES.values():
        raise NotFound("export")
    export = exports.read(tx, operation_id)
    if export is None:
        raise ExportGone
    return export


def open_package(tx: Transaction, subject: Subject, operation_id: UUID) -> Export:
    """Return an export whose package can be read now.

    Raises:
        NotFound, ExportGone: as `find_export`.
        ExportNotReady: it is still being written.
    """
    export = find_export(tx, subject, operation_id)
    if export.ready_at is None:
        raise ExportNotReady
    if exports.readable_file(tx, operation_id) is None:
        raise ExportGone
    return export


def note_download(tx: Transaction, export: Export, *, actor: str, whole: bool) -> None:
    """Log that a download of a package begins (MC-17).

    Args:
        whole: it begins with the first byte. One that goes on is logged only if none was: it may be all there is.
    """
    if not whole:
        before = event_log.lives(tx, "operation", [export.operation_id])
        if any(happened.type == ExportDownloaded.__name__ for happened in before):
            return
    subject = subjects.read(tx, export.subject_id)
    if subject is not None:
        event_log.append(tx, subject, export.operation_id, [ExportDownloaded()], actor=actor)


def _operation(lease: Lease) -> UUID:
    assert lease.operation_id is not None  # noqa: S101 # every row of this kind has its operation
    return lease.operation_id
