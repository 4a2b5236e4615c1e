"""Reflect on people: what their observations amount to by now (TR-09)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.language.habits import read_habits
from shared.language.port import Habit
from shared.language.sensitivity.special import special_categories
from shared.outbox.job_kinds import REFLECTING
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease
from shared.runtime import telemetry
from shared.traits.observe import notes_to_read, observe_notes, picked_habits
from shared.traits.reflect import Reflected, reflect
from shared.traits.sql.notes import Note
from workers.celery_app import app
from workers.process import leased_work, process
from workers.reflector.proposing import propose


@app.task(name="reflector.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Reflect on the people of these outbox rows; rows that are claimed or done are skipped."""
    leased_work().run_each(outbox_ids, reflect_on_person, kinds=REFLECTING)


def reflect_on_person(lease: Lease) -> None:
    """Read what is new and was not read when it was said; then reflect and close the row in one transaction."""
    begun = time.monotonic()
    read_notes(lease.subject_id)
    propose(lease.subject_id)

    def reflected(tx: Transaction) -> Reflected | None:
        result = reflect(
            tx,
            lease.subject_id,
            trigger=lease.payload["trigger"],
            reason=lease.payload.get("reason"),
            terms=process().terms,
        )
        leasing.close(tx, lease)
        return result

    result = process().database.of(lease.subject_id).transact(reflected)
    telemetry.REFLECTIONS.labels(lease.payload["trigger"], "changed" if result and result.changed else "same").inc()
    telemetry.REFLECTION_SECONDS.observe(time.monotonic() - begun)
    for change, stage in result.transitions if result else ():
        telemetry.TRAIT_TRANSITIONS.labels(change, stage).inc()


def read_notes(subject_id: UUID) -> None:
    """Observe what a person's new feedback shows, and the memories they wrote or confirmed."""
    database, terms = process().database.of(subject_id), process().terms
    notes = database.transact(lambda tx: notes_to_read(tx, subject_id, terms=terms))
    while notes:
        found = [(note, _habits_of(note)) for note in notes]
        database.transact(lambda tx, found=found: observe_notes(tx, subject_id, found, terms=terms))  # type: ignore[misc]
        after = notes[-1].source.at
        notes = database.transact(lambda tx, after=after: notes_to_read(tx, subject_id, terms=terms, after=after))  # type: ignore[misc]


def _habits_of(note: Note) -> Sequence[Habit]:
    picked = picked_habits(note.text)
    if picked:
        return picked
    read = read_habits(note.text, process().reader)
    if not read.habits and not read.refused:
        return ()
    # A memory may leave out what its message named: beside a sensitive matter nothing is inferred from either.
    refused = {*read.refused, *(category for said in note.said for category in special_categories(said))}
    for category in sorted(refused):
        telemetry.TRAIT_REFUSED.labels(category).inc()
    return () if refused else read.habits
