"""Erase what was said for tasks whose day is over, and look at questions that were reopened (FC-01, FC-08)."""

from __future__ import annotations

from functools import partial
from typing import Final

import structlog

from shared.consent.rules.policy import Terms
from shared.contexts.sql import contexts
from shared.drift.observe import scan_question
from shared.drift.rules import DriftPolicy
from shared.drift.sql import notes
from shared.erasure.expire_contexts import expire_contexts
from shared.kernel.database import Database
from shared.kernel.database_errors import SubjectBusy
from shared.runtime import logging, telemetry

log = structlog.get_logger()

EXPIRE_SECONDS: Final = 60.0
"""What expired is not read from that moment on; this is when its erasure begins."""
SCAN_SECONDS: Final = 300.0

PEOPLE_AT_ONCE: Final = 500
QUESTIONS_AT_ONCE: Final = 500


def expire(database: Database) -> int:
    """Accept the erasure of expired contexts, one operation a person; return how many contexts.

    People whose data is locked, for instance by a forget, are handled in the next round.
    """
    gone = 0
    for subject_id in database.transact(partial(contexts.people_with_expired, limit=PEOPLE_AT_ONCE)):
        try:
            count = database.transact(partial(expire_contexts, subject_id=subject_id))
        except SubjectBusy as error:
            log.warning("periodic.postponed", part="expire_contexts", **logging.failure(error))
            continue
        telemetry.memory_deleted("expire", "task", count)
        gone += count
    return gone


def scan_reopened(database: Database, policy: DriftPolicy, terms: Terms) -> int:
    """Look at reopened questions that are due; return how many."""
    due = database.transact(partial(notes.to_scan, after=policy.reopened_after, limit=QUESTIONS_AT_ONCE))
    for subject_id, note_id in due:
        look = partial(scan_question, subject_id=subject_id, note_id=note_id, policy=policy, terms=terms)
        try:
            telemetry.drift_observed(database.transact(look))
        except SubjectBusy as error:
            log.warning("periodic.postponed", part="drift", **logging.failure(error))
    return len(due)
