"""Handle missing items that may be hidden by a forget operation that can still be undone."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.errors import UndoPossible
from shared.outbox.sql import operations


def await_undo(tx: Transaction, subject_id: UUID) -> None:
    """Raise if a missing item may become visible again; call this before treating the item as gone.

    Raises:
        UndoPossible: a forget operation of this person can still be undone; retry after the given seconds.
    """
    if seconds := operations.undo_ends_in(tx, subject_id):
        raise UndoPossible(seconds)
