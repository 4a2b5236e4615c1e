"""Read what may be loaded of a person for a task, in one transaction (FC-04, FC-05)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from shared.consent.rules.consents import Consent, allowed, restricted
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents, switches
from shared.contexts.rules.fields import Fields, newest_of_each
from shared.contexts.rules.slices import THREADS_MAX, Known
from shared.contexts.sql import contexts
from shared.contexts.sql.contexts import StoredContext
from shared.drift.sql import drift, notes
from shared.kernel.database import Transaction


def known_for(
    tx: Transaction,
    subject_id: UUID,
    *,
    task_id: UUID,
    conversation_id: UUID | None,
    overrides: Fields,
    counted: timedelta,
    terms: Terms,
) -> Known:
    """Return what may be loaded for a task, and what consent keeps from being loaded.

    Args:
        overrides: what the request itself says; it wins over what the task was opened with.
        counted: for how long changes of view are counted.
    """
    consent = consents.current(tx, subject_id)
    chosen = restricted(switches.current(tx, subject_id, defaults=terms.defaults), consent, terms)

    def may(purpose: str) -> bool:
        return allowed(chosen, consent, terms.consent, purpose)  # type: ignore[arg-type]  # one of the purposes below

    task = newest_of_each(_fields(contexts.of_scope(tx, subject_id, "task", task_id=task_id)))
    if not chosen.injection_enabled:  # the person gives assistants nothing that is kept (decision 7)
        return Known(task={**task, **overrides}, is_given=False)
    profile = newest_of_each(_fields(contexts.of_scope(tx, subject_id, "profile")))
    stored: list[StoredContext] = []
    if conversation_id is not None:
        stored = contexts.of_scope(tx, subject_id, "thread", conversation_id=conversation_id)
    named = may("save_to_thread")
    given = [one for one in stored if named and not one.consent_blocked]
    kept_back = {name for one in stored if one.consent_blocked or not named for name in one.fields}
    if not may("save_to_profile"):
        kept_back |= set(profile)
        profile = {}
    # Consenting again restores nothing: threads from before the last withdrawal are not named.
    since = consents.last_withdrawal(tx, subject_id, "save_to_thread")
    threads = notes.newest_threads(tx, subject_id, limit=THREADS_MAX, since=since if named else None)
    return Known(
        task={**task, **overrides},
        thread=newest_of_each(_fields(given)),
        profile=profile,
        titles=[_title(one) for one in threads] if named else (),
        drifts=drift.count_since(tx, subject_id, counted) if may("drift") else None,
        blocked=frozenset(kept_back),
        blocked_titles=bool(threads) and not named,
    )


def _fields(stored: Sequence[StoredContext]) -> list[Fields]:
    return [one.fields for one in stored]


def _title(thread: notes.Thread) -> str:
    kind = thread.object_type or "-"
    return f"{thread.title or kind} ({kind})"


def is_cold(consent: Consent | None, known: Known) -> bool:
    """Return whether nothing was stored that a prompt could be arranged by, though the person might set it."""
    return known.is_given and not (known.profile or known.thread) and (consent is None or consent.revoked_at is None)
