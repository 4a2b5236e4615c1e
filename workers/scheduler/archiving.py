"""Archive memories that have not been used for long, in batches (LT-10)."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

import structlog

from shared.kernel.database import Database
from shared.kernel.database_errors import SubjectBusy
from shared.memories.archive import archive_unused
from shared.memories.rules.archiving import ArchivePolicy
from shared.memories.sql import archiving
from shared.runtime import logging

log = structlog.get_logger()

ARCHIVE_SECONDS: Final = 3600.0

PEOPLE_AT_ONCE: Final = 100
UNITS_AT_ONCE: Final = 100
"""Memories per transaction; few, so that nobody waits long for the person's lock."""
UNITS_PER_ROUND: Final = 5_000
"""The rest waits for the next round; this work is not urgent."""


def archive(database: Database, policy: ArchivePolicy, *, most: int = UNITS_PER_ROUND) -> int:
    """Archive memories unused for long, about `most` of them; return how many.

    People whose data is locked, for instance by a forget, are handled in the next round.
    """
    archived = 0
    after: UUID | None = None
    while archived < most:
        look = partial(archiving.people, policy=policy, after=after, limit=PEOPLE_AT_ONCE)
        people = database.transact(look)
        for subject_id in people:
            archived += _archive_of(database, policy, subject_id, most=most - archived)
        if len(people) < PEOPLE_AT_ONCE:
            break
        after = people[-1]
    return archived


def _archive_of(database: Database, policy: ArchivePolicy, subject_id: UUID, *, most: int) -> int:
    archived = 0
    while archived < most:
        limit = min(UNITS_AT_ONCE, most - archived)
        try:
            done = database.transact(partial(archive_unused, subject_id=subject_id, policy=policy, limit=limit))
        except SubjectBusy as error:
            log.warning("periodic.postponed", part="archive", **logging.failure(error))
            break
        archived += done
        if done < limit:
            break
    return archived
