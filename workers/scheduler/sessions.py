"""End sessions whose last message nobody answered: else it would never be learned from (LT-05)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from shared.conversations.end_session import end_idle_session
from shared.conversations.sql import unanswered
from shared.kernel.database import Database
from shared.kernel.database_errors import SubjectBusy
from shared.runtime import logging

log = structlog.get_logger()

SESSIONS_SECONDS: Final = 60.0
AT_ONCE: Final = 500


def end_idle(database: Database, idle: timedelta) -> int:
    """End the sessions that were idle for so long, the longest first; return how many."""
    ended = 0
    for subject_id, conversation_id in database.transact(partial(unanswered.find, idle=idle, limit=AT_ONCE)):
        end = partial(end_idle_session, subject_id=subject_id, conversation_id=conversation_id, idle=idle)
        try:
            ended += database.transact(end)
        except SubjectBusy as error:
            log.warning("periodic.postponed", part="sessions", **logging.failure(error))
    return ended
