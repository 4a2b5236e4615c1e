"""Debug records: ids and numbers about a request, for the assistant's developers (MC-01)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

EXPIRED_AT_ONCE: Final = 20_000
"""Deleted in one transaction, which has a time limit; the next round goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The debug record of a request."""

    request_id: str
    data: dict[str, Any]
    created_at: datetime


def add(
    tx: Transaction, subject: Subject, request_id: str, data: dict[str, Any], *, conversation_id: UUID | None = None
) -> None:
    """Store the debug record of a request; call this inside the fence, because it belongs to the current generation."""
    tx.run(
        """
        insert into debug_records (request_id, subject_id, generation, conversation_id, data)
        select :request, id, generation, :conversation, cast(:data as jsonb) from subjects where id = :subject
        on conflict do nothing
        """,
        request=request_id,
        subject=subject.id,
        conversation=conversation_id,
        data=json.dumps(data, default=str),
    )


def read(tx: Transaction, request_id: str) -> Trace | None:
    """Return the debug record of a request, if its person's generation is current."""
    row = tx.row(
        """
        select d.request_id, d.data, d.created_at from debug_records d
        join subjects s on s.id = d.subject_id and s.generation = d.generation where d.request_id = :request
        """,
        request=request_id,
    )
    return Trace(**row) if row else None


def expire(tx: Transaction, kept: timedelta) -> int:
    """Delete records older than `kept`, at most `EXPIRED_AT_ONCE`, the oldest first; return how many."""
    return tx.run(
        """
        delete from debug_records where ctid = any(array(
          select ctid from debug_records where created_at <= now() - cast(:kept as interval)
          order by created_at limit :limit))
        """,
        kept=kept,
        limit=EXPIRED_AT_ONCE,
    )
