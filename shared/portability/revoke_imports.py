"""Revoke packages that wait for import: destroy the key in this transaction, and queue the file's removal (X-09)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ImportWithdrawn
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import DISCARD_VECTORS
from shared.outbox.sql import operations, outbox
from shared.outbox.sql.outbox import Work
from shared.portability.rules.imports import Reason
from shared.portability.sql import exports, imports
from shared.portability.sql.exports import File
from shared.portability.sql.imports import Import

EXPIRED_AT_ONCE = 100


def revoke_forgotten_imports(tx: Transaction, subject: Subject, forgotten: Forgotten) -> dict[str, list[UUID]]:
    """Revoke every package of a person who forgets everything; call this under the closed fence.

    A smaller forget keeps them: forgotten items are skipped when they are imported. The result is always empty, because
    the file is removed by its own job.
    """
    if forgotten.scope == "user":
        _revoke(tx, imports.of_subject(tx, subject.id), because="forgotten", actor=forgotten.actor)
    return {}


def revoke_expired_imports(tx: Transaction, kept: timedelta) -> int:
    """Revoke packages that could not be imported within `kept`; return how many."""
    over = imports.expired(tx, kept, limit=EXPIRED_AT_ONCE)
    _revoke(tx, over, because="expired", actor="system:scheduler")
    return len(over)


def revoke_restored_imports(tx: Transaction) -> int:
    """Revoke every package in a restored backup: it was imported or revoked since; return how many."""
    back = imports.every(tx)
    _revoke(tx, back, because="restored", actor="operator:replay")
    return len(back)


def _revoke(tx: Transaction, found: Sequence[Import], *, because: Reason, actor: str) -> None:
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
