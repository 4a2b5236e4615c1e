"""Stored answers by Idempotency-Key."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

EXPIRED_AT_ONCE: Final = 20_000
"""Deleted in one transaction, which has a time limit; the next round goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A stored answer; `same_request` is false if the key was used with a different request."""

    answer: dict[str, Any]
    same_request: bool


def recall(tx: Transaction, principal: str, key: str, request: str, kept: timedelta) -> Remembered | None:
    """Return the unexpired answer stored for this principal and key."""
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
    """Invalidate the key of an undone operation: no request matches it again, because its answer is no longer true."""
    tx.run(
        """
        update idempotency_keys set request_hash = '' where subject_id = :subject and answer->>'op_id' = :operation
        """,
        subject=subject_id,
        operation=str(operation_id),
    )


def forget(tx: Transaction, subject_id: UUID) -> None:
    """Delete the answers stored for a closed account, because they contain the user name."""
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
    """Store a content-free answer under a key. Of two concurrent inserts one collides, retries and finds the other."""
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
    """Delete expired answers, at most `EXPIRED_AT_ONCE`, the oldest first; return how many."""
    return tx.run(
        """
        delete from idempotency_keys where ctid = any(array(
          select ctid from idempotency_keys where created_at <= now() - cast(:kept as interval)
          order by created_at limit :limit))
        """,
        kept=kept,
        limit=EXPIRED_AT_ONCE,
    )


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
