"""Revoke packages: destroy the key in this transaction, and queue the removal of the file (MC-12)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ExportWithdrawn
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import DISCARD_VECTORS
from shared.outbox.sql import operations, outbox
from shared.outbox.sql.outbox import Work
from shared.portability.rules.exports import Reason, covers
from shared.portability.sql import exports
from shared.portability.sql.exports import Export

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
        )
    ]
    _revoke(tx, covered, because="forgotten", actor=forgotten.actor)
    return {exports.ITEM: [one.operation_id for one in covered]}


def revoke_expired_exports(tx: Transaction) -> int:
    """Revoke expired packages; return how many."""
    over = exports.expired(tx, limit=EXPIRED_AT_ONCE)
    _revoke(tx, over, because="expired", actor="system:scheduler")
    return len(over)


def revoke_restored_exports(tx: Transaction) -> int:
    """Revoke every package in a restored backup, because its data may have been forgotten since; return how many."""
    back = exports.every(tx)
    _revoke(tx, back, because="restored", actor="operator:replay")
    return len(back)


def _revoke(tx: Transaction, found: Sequence[Export], *, because: Reason, actor: str) -> None:
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
    payload = {"store": exports.STORE, "namespace": str(export.file.namespace), "keys": [str(key)]}
    outbox.add(tx, export.subject_id, [Work(kind=DISCARD_VECTORS, payload=payload, dedupe_key=str(key))])
