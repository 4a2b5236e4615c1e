"""Run a request at most once per Idempotency-Key."""

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
    """The idempotency parameters of a request.

    Args:
        principal: the authenticated caller.
        key: the Idempotency-Key; None to run without one.
        request: the canonical request, compared with the earlier one.
        kept: how long the answer is stored.
    """

    principal: str
    key: str | None
    request: str
    kept: timedelta


def earlier_answer(tx: Transaction, once: Once) -> dict[str, Any] | None:
    """Return the answer stored for this key, None if there is none: for a request that prepares much before it runs.

    Raises:
        IdempotencyConflict: the key was used for a different request.
    """
    if once.key is None:
        return None
    one_at_a_time(tx, "idempotency", once.principal, once.key)
    earlier = idempotency_keys.recall(tx, once.principal, once.key, once.request, once.kept)
    if earlier is None:
        return None
    if not earlier.same_request:
        raise IdempotencyConflict
    return earlier.answer


def run_idempotent(
    tx: Transaction,
    once: Once,
    subject_of: Callable[[Transaction], Subject],
    work: Callable[[Transaction, Subject], dict[str, Any]],
) -> dict[str, Any]:
    """Return the stored answer for this key, or run `work` and store its answer, which must hold no content.

    The key is checked first, so that a repeated forget finds its answer although its target is gone.

    Args:
        subject_of: finds the person the request is about; it may raise.
        work: performs the request for that person.

    Raises:
        IdempotencyConflict: the key was used for a different request.
    """
    if once.key is None:
        return work(tx, subject_of(tx))
    if earlier := earlier_answer(tx, once):
        return earlier
    subject = subject_of(tx)
    answer = work(tx, subject)
    # Read the person again: the answer to forgetting everything belongs to their new generation.
    now = subjects.read(tx, subject.id) or subject
    idempotency_keys.remember(tx, now, once.principal, once.key, once.request, answer, kept=once.kept)
    return answer
