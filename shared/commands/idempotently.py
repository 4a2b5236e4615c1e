"""Starting work once per Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shared.commands.refusals import IdempotencyConflict
from shared.persistence import idempotency, subjects
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """A request's wish to run once: who asks, under which key, and for what."""

    principal: str
    key: str | None
    request: str


def run_once(tx: Transaction, subject: Subject, once: Once, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the earlier answer for this key, or do the work and remember its content-free answer.

    Raises:
        IdempotencyConflict: the key was used for another request.
    """
    if once.key is None:
        return work()
    if earlier := idempotency.recall(tx, subject, once.principal, once.key, once.request):
        if not earlier.same_request:
            raise IdempotencyConflict
        return earlier.answer
    answer = work()
    # As the person is now: the answer to forgetting everything belongs to what comes after it.
    subject = subjects.read(tx, subject.id) or subject
    idempotency.remember(tx, subject, once.principal, once.key, once.request, answer)
    return answer
