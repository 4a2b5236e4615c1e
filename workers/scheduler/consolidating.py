"""Move the memories of finished conversations to the long-term level, in batches (LT-04)."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

import structlog

from shared.kernel.database import Database
from shared.kernel.database_errors import SubjectBusy
from shared.memories.consolidate import AT_ONCE, consolidate_batch
from shared.memories.sql import levels
from shared.runtime import logging

log = structlog.get_logger()

CONSOLIDATE_SECONDS: Final = 600.0

PEOPLE_AT_ONCE: Final = 100
MEMORIES_PER_ROUND: Final = 5_000
"""The rest waits for the next round; this work is not urgent."""


def consolidate(database: Database, *, most: int = MEMORIES_PER_ROUND) -> int:
    """Consolidate memories that are ready, about `most` of them; return how many.

    People whose data is locked, for instance by a forget, are handled in the next round.
    """
    done = 0
    after: UUID | None = None
    while done < most:
        people = database.transact(partial(levels.people, after=after, limit=PEOPLE_AT_ONCE))
        for subject_id in people:
            done += _consolidate_of(database, subject_id, most=most - done)
        if len(people) < PEOPLE_AT_ONCE:
            break
        after = people[-1]
    return done


def _consolidate_of(database: Database, subject_id: UUID, *, most: int) -> int:
    done = 0
    while done < most:
        try:
            some = database.transact(partial(consolidate_batch, subject_id=subject_id))
        except SubjectBusy as error:
            log.warning("periodic.postponed", part="consolidate", **logging.failure(error))
            break
        done += some
        if some < AT_ONCE:
            break
    return done
