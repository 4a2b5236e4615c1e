"""Queue the daily reflections of people with new evidence, or with traits that decay or end (TR-09)."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

from shared.kernel.database import Database
from shared.runtime import telemetry
from shared.traits.reflect import queue_reflections
from shared.traits.sql import reflections, traits

REFLECT_SECONDS: Final = 3600.0
PEOPLE_AT_ONCE: Final = 500


def queue_daily_reflections(database: Database) -> int:
    """Queue a reflection for everybody who is due, and count all traits; return how many were queued."""
    for (subtype, stage), count in database.transact(traits.counts).items():
        telemetry.TRAITS.labels(subtype, stage).set(count)
    queued = 0
    after: UUID | None = None
    while True:
        people = database.transact(partial(reflections.people_due, after=after, limit=PEOPLE_AT_ONCE))
        if people:
            database.transact(partial(queue_reflections, subject_ids=people, trigger="daily"))
        queued += len(people)
        if len(people) < PEOPLE_AT_ONCE:
            return queued
        after = people[-1]
