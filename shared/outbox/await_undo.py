"""What a forget that may still be undone hides is neither there nor gone."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.errors import UndoPossible
from shared.outbox.sql import operations


def await_undo(tx: Transaction, subject_id: UUID) -> None:
    """Call it when something needed is missing, before giving up on it.

    Raises:
        UndoPossible: it may come back; look again when that is decided.
    """
    if seconds := operations.undo_ends_in(tx, subject_id):
        raise UndoPossible(seconds)
