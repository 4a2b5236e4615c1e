"""Say exactly what a forget would take: it is accepted, counted, and never committed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn
from uuid import UUID

from shared.erasure.rewrite_parts import rewrite_parts
from shared.erasure.sql import erase
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.outbox.sql import operations


class DryRun(Exception):
    """Ends the transaction without a trace, with what it would have taken.

    Args:
        counts: store → part → number of rows or keys.
        survivors: how many turns would be learned from again.
        hidden: what would go by name, by kind; of `rewritten` what is left would stay.
    """

    def __init__(
        self,
        counts: Mapping[str, Mapping[str, int]],
        survivors: int,
        hidden: Mapping[str, Sequence[UUID]],
        rewritten: Collection[UUID],
    ) -> None:
        super().__init__("foreseen")
        self.counts = counts
        self.survivors = survivors
        self.hidden = hidden
        self.rewritten = frozenset(rewritten)


def dry_run(tx: Transaction, operation_id: UUID) -> NoReturn:
    """Count what an operation accepted in this transaction would take.

    Raises:
        DryRun: always, so that nothing of it stays.
    """
    target = operations.target(tx, operation_id)
    hidden = operations.all_hidden(tx, operation_id)
    subject = subjects.read(tx, target.subject_id)
    if target.parts and subject is not None:
        rewrite_parts(tx, subject, target)
    counts = {"postgres": erase.residue(tx, target), **erase.announced(tx, target)}
    rewritten = [item for items in target.parts.values() for item in items]
    raise DryRun(counts, len(target.survivors), hidden, rewritten)
