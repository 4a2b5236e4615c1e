"""Archive memories that have not been used for long (LT-10), and move those of finished conversations to the long-term
level (LT-04): a person at a time, in batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias, TypeVar
from uuid import UUID

import structlog

from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import SubjectBusy
from shared.memories import consolidate as consolidating
from shared.memories.archive import archive_unused
from shared.memories.consolidate import consolidate_batch
from shared.memories.rules.archiving import ArchivePolicy
from shared.memories.sql import archiving, levels
from shared.runtime import logging

log = structlog.get_logger()
T = TypeVar("T")

ARCHIVE_SECONDS: Final = 3600.0
CONSOLIDATE_SECONDS: Final = 600.0

PEOPLE_AT_ONCE: Final = 100
ARCHIVED_AT_ONCE: Final = 100
"""Memories per transaction; few, so that nobody waits long for the person's lock."""
PER_ROUND: Final = 5_000
"""About how many memories; the rest waits for the next round, because this work is not urgent."""

Work: TypeAlias = Callable[[Transaction], T]


def archive(database: Database, policy: ArchivePolicy, *, most: int = PER_ROUND) -> int:
    """Archive memories unused for long; return how many."""
    return _round(
        "archive",
        database,
        lambda after: partial(archiving.people, policy=policy, after=after, limit=PEOPLE_AT_ONCE),
        lambda subject_id, limit: partial(archive_unused, subject_id=subject_id, policy=policy, limit=limit),
        at_once=ARCHIVED_AT_ONCE,
        most=most,
    )


def consolidate(database: Database, *, most: int = PER_ROUND) -> int:
    """Consolidate memories of conversations that have ended; return how many."""
    return _round(
        "consolidate",
        database,
        lambda after: partial(levels.people, after=after, limit=PEOPLE_AT_ONCE),
        lambda subject_id, _: partial(consolidate_batch, subject_id=subject_id),
        at_once=consolidating.AT_ONCE,
        most=most,
    )


def _round(
    part: str,
    database: Database,
    people: Callable[[UUID | None], Work[Sequence[UUID]]],
    batch: Callable[[UUID, int], Work[int]],
    *,
    at_once: int,
    most: int,
) -> int:
    """Go through the people and their memories until `most` were handled; return how many were.

    People whose data is locked, for instance by a forget, are handled in the next round.

    Args:
        people: finds the next people after one.
        batch: handles memories of a person, at most so many; returns how many it did.
    """
    done = 0
    after: UUID | None = None
    while done < most:
        some = database.transact(people(after))
        for subject_id in some:
            done += _of_one(part, database, partial(batch, subject_id), at_once=at_once, most=most - done)
        if len(some) < PEOPLE_AT_ONCE:
            break
        after = some[-1]
    return done


def _of_one(part: str, database: Database, batch: Callable[[int], Work[int]], *, at_once: int, most: int) -> int:
    done = 0
    while done < most:
        limit = min(at_once, most - done)
        try:
            count = database.transact(batch(limit))
        except SubjectBusy as error:
            log.warning("periodic.postponed", part=part, **logging.failure(error))
            break
        done += count
        if count < limit:
            break
    return done
