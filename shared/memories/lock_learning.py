"""Serialise learning for one person (advisory lock)."""

from __future__ import annotations

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject


def lock_learning(tx: Transaction, subject: Subject) -> Subject:
    """Serialise learning for one person until the transaction ends; return their current state.

    Acquired before the fence, so that comparisons with existing memories still hold at the commit.
    """
    one_at_a_time(tx, "learning", str(subject.id))
    enter_fence(tx, subject.id)
    return subjects.again(tx, subject)
