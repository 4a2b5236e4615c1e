"""Say exactly what a forget would take: it is accepted, counted, and never committed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn
from uuid import UUID

from shared.persistence import erasure, operations
from shared.persistence.database import Transaction


class Foreseen(Exception):
    """Ends the transaction without a trace, with what it would have taken.

    Args:
        counts: store → part → number of rows or keys.
        survivors: how many turns would be learned from again.
    """

    def __init__(self, counts: Mapping[str, Mapping[str, int]], survivors: int) -> None:
        super().__init__("foreseen")
        self.counts = counts
        self.survivors = survivors


def foresee(tx: Transaction, operation_id: UUID) -> NoReturn:
    """Count what an operation accepted in this transaction would take.

    Raises:
        Foreseen: always, so that nothing of it stays.
    """
    target = operations.target(tx, operation_id)
    counts = {"postgres": erasure.residue(tx, target), **erasure.announced(tx, target)}
    raise Foreseen(counts, len(target.survivors))
