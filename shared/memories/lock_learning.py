"""Be the only one who adds to what a person remembers, from looking to committing."""

from __future__ import annotations

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject


def lock_learning(tx: Transaction, subject: Subject) -> Subject:
    """Let nobody else add to what this person remembers until the transaction ends; returns who they are now.

    Taken before the fence, as learning does: what is compared with is what there is when it commits.
    """
    one_at_a_time(tx, "learning", str(subject.id))
    enter_fence(tx, subject.id)
    return subjects.again(tx, subject)
