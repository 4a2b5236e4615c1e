"""Which vectors a rebuild of the index still has to write, and which it has replaced."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction
from shared.lineage.sql.vector_keys import WRITE_SECONDS


def people(tx: Transaction, *, after: UUID | None, limit: int) -> list[UUID]:
    """Return people who have data in a store, in order.

    Args:
        after: the last person of the previous page.
    """
    rows = tx.rows(
        """
        select s.id from subjects s
        where (cast(:after as uuid) is null or s.id > :after)
          and exists (select from vector_refs v where v.namespace = s.namespace and v.state = 'written')
        order by s.id limit :limit
        """,
        after=after,
        limit=limit,
    )
    return [row["id"] for row in rows]


def outdated(
    tx: Transaction, store: str, subject_id: UUID, operation_id: UUID, *, after: UUID | None, limit: int
) -> list[UUID]:
    """Return a person's keys with a readable item that were announced before the operation, in order."""
    rows = tx.rows(
        """
        select v.pk from visible_vectors v join vector_refs r on r.pk = v.pk
        where v.store = :store and v.subject_id = :subject and (cast(:after as uuid) is null or v.pk > :after)
          and r.deadline < (select created_at from operations where id = :operation)
                           + make_interval(secs => :seconds)
        order by v.pk limit :limit
        """,
        store=store,
        subject=subject_id,
        operation=operation_id,
        after=after,
        limit=limit,
        seconds=WRITE_SECONDS,
    )
    return [row["pk"] for row in rows]


def replaced(tx: Transaction, store: str, subject_id: UUID) -> dict[UUID, list[UUID]]:
    """Return keys no longer served because their items have newer keys, by namespace."""
    rows = tx.rows(
        """
        select old.namespace, old.pk from vector_refs old
        where old.subject_id = :subject and old.store = :store and old.state = 'erased'
          and exists (select from vector_refs new where new.item_kind = old.item_kind and new.item_id = old.item_id
                      and new.store = old.store and new.state = 'written')
        order by old.pk
        """,
        subject=subject_id,
        store=store,
    )
    found: dict[UUID, list[UUID]] = {}
    for row in rows:
        found.setdefault(row["namespace"], []).append(row["pk"])
    return found
