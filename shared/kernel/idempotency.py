"""Starting work once per Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.kernel import idempotency_keys, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import IdempotencyConflict
from shared.kernel.locks import one_at_a_time
from shared.kernel.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """A request's wish to run once: who asks, under which key, for what, and for how long its answer is kept."""

    principal: str
    key: str | None
    request: str
    kept: timedelta


def run_idempotent(
    tx: Transaction, once: Once, subject_of: Callable[[], Subject], work: Callable[[Subject], dict[str, Any]]
) -> dict[str, Any]:
    """Return the earlier answer for this key, or do the work and remember its content-free answer.

    The key is looked at first: a repeated forget finds its answer although its target is gone by now.

    Args:
        subject_of: finds the person the request is about; it may refuse.
        work: does the work for them.

    Raises:
        IdempotencyConflict: the key was used for another request.
    """
    if once.key is None:
        return work(subject_of())
    one_at_a_time(tx, "idempotency", once.principal, once.key)
    if earlier := idempotency_keys.recall(tx, once.principal, once.key, once.request, once.kept):
        if not earlier.same_request:
            raise IdempotencyConflict
        return earlier.answer
    subject = subject_of()
    answer = work(subject)
    # As the person is now: the answer to forgetting everything belongs to what comes after it.
    now = subjects.read(tx, subject.id) or subject
    idempotency_keys.remember(tx, now, once.principal, once.key, once.request, answer, kept=once.kept)
    return answer
