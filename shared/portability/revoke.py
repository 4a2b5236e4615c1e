"""Revoke packages: destroy the key in this transaction, and queue the removal of the file (MC-12, X-09)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ExportWithdrawn, ImportWithdrawn
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import DISCARD_VECTORS
from shared.outbox.sql import operations, outbox
from shared.outbox.sql.outbox import Work
from shared.portability.rules import imports as import_rules
from shared.portability.rules.exports import Reason, covers
from shared.portability.sql import exports, imports
from shared.portability.sql.exports import Export, File
from shared.portability.sql.imports import Import

EXPIRED_AT_ONCE = 100


def revoke_forgotten_exports(tx: Transaction, subject: Subject, forgotten: Forgotten) -> dict[str, list[UUID]]:
    """Revoke every package that may contain data being forgotten; return their operations by kind.

    Call this under the closed fence: an export in progress cannot finish before it, and fails after it.
    """
    covered = [
        one
        for one in exports.of_subject(tx, subject.id)
        if covers(
            one.wanted.scope,
            one.wanted.conversation_id,
            format_=one.wanted.format,
            forgotten=forgotten.scope,
            forgotten_in=forgotten.conversation_id,
            feedback_goes=bool(forgotten.hidden.get("feedback") or forgotten.hidden.get("signal")),
        )
    ]
    _revoke_exports(tx, covered, because="forgotten", actor=forgotten.actor)
    return {exports.ITEM: [one.operation_id for one in covered]}


def revoke_expired_exports(tx: Transaction) -> int:
    """Revoke expired packages; return how many."""
    over = exports.expired(tx, limit=EXPIRED_AT_ONCE)
    _revoke_exports(tx, over, because="expired", actor="system:scheduler")
    return len(over)


def revoke_restored_exports(tx: Transaction) -> int:
    """Revoke every package in a restored backup, because its data may have been forgotten since; return how many."""
    back = exports.every(tx)
    _revoke_exports(tx, back, because="restored", actor="operator:replay")
    return len(back)


def _revoke_exports(tx: Transaction, found: Sequence[Export], *, because: Reason, actor: str) -> None:
    if not found:
        return
    exports.delete(tx, [one.operation_id for one in found])
    for one in found:
        if one.ready_at is None:
            outbox.drop_operation(tx, one.operation_id)
            operations.cancel(tx, one.operation_id)
            # Its file may be written until the intent's deadline. A forget waits for that; otherwise the scheduler
            # collects the file as abandoned.
        else:
            discard_file(tx, one)
        subject = subjects.read(tx, one.subject_id)
        if subject is not None:
            withdrawn = ExportWithdrawn(because=because)
            event_log.append(tx, subject, one.operation_id, [withdrawn], actor=actor)


def discard_file(tx: Transaction, export: Export) -> None:
    """Queue the removal of an export's file, and take its key from any writer."""
    if export.file is None:
        return
    key = export.file.file_key
    vector_keys.give_up(tx, [key])
    vector_keys.replace(tx, [key])
    queue_discard(tx, export.subject_id, export.file)


def revoke_forgotten_imports(tx: Transaction, subject: Subject, forgotten: Forgotten) -> dict[str, list[UUID]]:
    """Revoke every package of a person who forgets everything; call this under the closed fence.

    A smaller forget keeps them: forgotten items are skipped when they are imported. The result is always empty, because
    the file is removed by its own job.
    """
    if forgotten.scope == "user":
        _revoke_imports(tx, imports.of_subject(tx, subject.id), because="forgotten", actor=forgotten.actor)
    return {}


def revoke_expired_imports(tx: Transaction, kept: timedelta) -> int:
    """Revoke packages that could not be imported within `kept`; return how many."""
    over = imports.expired(tx, kept, limit=EXPIRED_AT_ONCE)
    _revoke_imports(tx, over, because="expired", actor="system:scheduler")
    return len(over)


def revoke_restored_imports(tx: Transaction) -> int:
    """Revoke every package in a restored backup: it was imported or revoked since; return how many."""
    back = imports.every(tx)
    _revoke_imports(tx, back, because="restored", actor="operator:replay")
    return len(back)


def _revoke_imports(tx: Transaction, found: Sequence[Import], *, because: import_rules.Reason, actor: str) -> None:
    imports.delete(tx, [one.operation_id for one in found])
    for one in found:
        outbox.drop_operation(tx, one.operation_id)
        operations.cancel(tx, one.operation_id)
        discard_package(tx, one)
        subject = subjects.read(tx, one.subject_id)
        if subject is not None:
            event_log.append(tx, subject, one.operation_id, [ImportWithdrawn(because=because)], actor=actor)


def discard_package(tx: Transaction, imported: Import) -> None:
    """Queue the removal of a package's file, which is no longer needed."""
    key = imported.file.file_key
    vector_keys.replace(tx, [key])
    queue_discard(tx, imported.subject_id, imported.file)


def queue_discard(tx: Transaction, subject_id: UUID, file: File) -> None:
    """Queue the removal of a file whose key was given up."""
    payload = {"store": exports.STORE, "namespace": str(file.namespace), "keys": [str(file.file_key)]}
    outbox.add(tx, subject_id, [Work(kind=DISCARD_VECTORS, payload=payload, dedupe_key=str(file.file_key))])
