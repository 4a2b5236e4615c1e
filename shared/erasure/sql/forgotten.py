"""Which namespaces are compared with the stores because something in them was forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.ids import OperationId
from shared.kernel.subjects import INSTALLATION

COMMITTED_SECONDS: Final = 30
"""Longer than a transaction may last."""

FORGETS_READ: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison after forgets: those verified up to `through`, included."""

    id: OperationId
    through: datetime
    status: str

    @property
    def is_unfinished(self) -> bool:
        return self.status in ("pending", "running", "failed")


def last_comparison(tx: Transaction) -> Comparison | None:
    """Return the newest comparison after forgets, by an index that has only those."""
    row = tx.row(
        """
        select id, (payload ->> 'through')::timestamptz as through, status from operations
        where type = 'cleanup_reconcile' and payload ? 'through' and subject_id = :subject
        order by id desc limit 1
        """,
        subject=INSTALLATION,
    )
    return Comparison(**row) if row else None


def namespaces(tx: Transaction, *, after: datetime | None, limit: int) -> tuple[datetime | None, list[UUID]]:
    """Return the namespaces of the oldest forgets verified after a time, and up to when those were verified.

    The newest are left to the next time: one that was verified before them may still be about to be committed.

    Args:
        limit: of namespaces; those of `FORGETS_READ` forgets at most.
    """
    rows = tx.rows(
        """
        select erased_at, (target ->> 'namespace')::uuid as namespace from operations
        where erased_at > coalesce(cast(:after as timestamptz), now() - make_interval(days => 1))
          and erased_at < now() - make_interval(secs => :settled) and target ? 'namespace'
        order by erased_at limit :limit
        """,
        after=after,
        settled=COMMITTED_SECONDS,
        limit=FORGETS_READ,
    )
    found: dict[UUID, datetime] = {}
    through = None
    for row in rows:
        if row["namespace"] not in found and len(found) == limit:
            break
        through = found[row["namespace"]] = row["erased_at"]
    return through, list(found)
