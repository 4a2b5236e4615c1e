"""Report exactly what a forget would erase: accept it, count, and roll back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn
from uuid import UUID

from shared.erasure.rewrite_parts import rewrite_parts
from shared.erasure.sql import erase, store_keys
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.outbox.sql import operations, targets


class DryRun(Exception):
    """Rolls the transaction back and carries what the forget would have erased.

    Args:
        counts: store → part → number of rows or keys.
        survivors: how many turns would be learned from again.
        hidden: ids of the items it would erase, by kind.
        rewritten: those of them that would only be erased in part.
    """

    def __init__(
        self,
        counts: Mapping[str, Mapping[str, int]],
        survivors: int,
        hidden: Mapping[str, Sequence[UUID]],
        rewritten: Collection[UUID],
    ) -> None:
        super().__init__("dry run")
        self.counts = counts
        self.survivors = survivors
        self.hidden = hidden
        self.rewritten = frozenset(rewritten)


def dry_run(tx: Transaction, operation_id: UUID) -> NoReturn:
    """Count what an operation accepted in this transaction would erase.

    Raises:
        DryRun: always, so that the transaction is rolled back.
    """
    target = targets.read(tx, operation_id)
    hidden = operations.all_hidden(tx, operation_id)
    subject = subjects.read(tx, target.subject_id)
    if target.parts and subject is not None:
        rewrite_parts(tx, subject, target)
    counts = {"postgres": erase.residue(tx, target), **store_keys.announced(tx, target)}
    rewritten = [item for items in target.parts.values() for item in items]
    raise DryRun(counts, len(target.survivors), hidden, rewritten)
