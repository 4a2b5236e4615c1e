"""Remembered answers: the same Idempotency-Key starts work once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """An earlier answer; `same_request` is false when the key came with another body."""

    answer: dict[str, Any]
    same_request: bool


def recall(tx: Transaction, principal: str, key: str, request: str, kept: timedelta) -> Remembered | None:
    """Return the answer this principal got for this key, while it is kept."""
    row = tx.row(
        """
        select subject_id, answer, request_hash from idempotency_keys
        where principal = :principal and key_hash = :key and created_at > now() - cast(:kept as interval)
        """,
        principal=principal,
        key=_digest(key),
        kept=kept,
    )
    if row is None:
        return None
    subject = subjects.read(tx, row["subject_id"])
    same = subject is not None and bytes(row["request_hash"]) == subject.digest(request)
    return Remembered(answer=row["answer"], same_request=same)


def void(tx: Transaction, subject_id: UUID, operation_id: UUID) -> None:
    """Let the key of an operation that was undone fit no request any more: repeating its answer would be a lie."""
    tx.run(
        """
        update idempotency_keys set request_hash = '' where subject_id = :subject and answer->>'op_id' = :operation
        """,
        subject=subject_id,
        operation=str(operation_id),
    )


def forget(tx: Transaction, subject_id: UUID) -> None:
    """Delete the answers given to a person whose account was closed: they carry the name."""
    tx.run("delete from idempotency_keys where subject_id = :subject", subject=subject_id)


def remember(
    tx: Transaction,
    subject: Subject,
    principal: str,
    key: str,
    request: str,
    answer: dict[str, Any],
    *,
    kept: timedelta,
) -> None:
    """Keep a content-free answer under a key; two at once collide and the loser finds it."""
    tx.run(
        "delete from idempotency_keys where principal = :principal and key_hash = :key"
        " and created_at <= now() - cast(:kept as interval)",
        principal=principal,
        key=_digest(key),
        kept=kept,
    )
    tx.run(
        """
        insert into idempotency_keys (principal, key_hash, request_hash, subject_id, generation, answer)
        values (:principal, :key, :request, :subject, :generation, cast(:answer as jsonb))
        """,
        principal=principal,
        key=_digest(key),
        request=subject.digest(request),
        subject=subject.id,
        generation=subject.generation,
        answer=json.dumps(answer),
    )


def expire(tx: Transaction, kept: timedelta) -> int:
    """Delete answers that were kept for so long."""
    return tx.run("delete from idempotency_keys where created_at <= now() - cast(:kept as interval)", kept=kept)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
