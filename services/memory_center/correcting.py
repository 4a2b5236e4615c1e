"""A correction by description: the memory that is meant is found and edited while the client waits (X-06, CN-03)."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from services.edge import Caller
from shared.commands.edit_memory import edit_memory
from shared.commands.idempotently import Once, run_once
from shared.commands.refusals import MemoryChanged, MemorySuperseded, NotFound, NothingCorrected
from shared.language.descriptions import corrects
from shared.language.port import Readings
from shared.models.descriptions import TERMS_MAX, Correcting, TooManyTerms
from shared.models.embedder import EmbedderUnavailable, Unembeddable
from shared.persistence import memories
from shared.persistence.database import Transaction
from shared.persistence.memories import MemoryFilter, Place, StoredMemory
from shared.persistence.subjects import Subject
from shared.runtime import apart
from shared.runtime.problems import Busy

PAGE: Final = 500
READ_MAX: Final = 100
"""Newest memories in force that the reader looks at: 0.6 s of processor time."""
TRIES: Final = 3
"""How often it is looked again when what was found changed meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What of somebody's memory is meant, and what holds instead, in their words."""

    user_id: str
    about: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The memory that is meant as it was seen, or why none is."""

    meant: StoredMemory | None = None
    refusal: NothingCorrected | None = None


def correct(
    caller: Caller, readings: Readings, correction: Correction, once: Once, stop: threading.Event
) -> dict[str, Any]:
    """Let a statement take the place of the one memory it is about, as an edit by hand does.

    Args:
        readings: looks for it by its meaning where its words do not tell.

    Returns:
        `memory_id` and the id it `superseded`.

    Raises:
        NothingCorrected: none is meant, or several alike, or the one that is meant says just that.
        TooManyTerms: the description names too much.
        LongTermOff, SubjectBusy, IdempotencyConflict: as `edit_memory` and `run_once`.
        Busy: what was found changed each time.
        Stopped, TookTooLong: as `apart.session`.
    """
    for _ in range(TRIES):
        found = _look(caller, readings, correction, stop)
        try:
            return caller.transact(lambda tx, found=found: _once(tx, caller, correction, once, found))  # type: ignore[misc]
        except (NotFound, MemoryChanged, MemorySuperseded):
            continue
    raise Busy


def _look(caller: Caller, readings: Readings, correction: Correction, stop: threading.Event) -> _Found:
    units: list[StoredMemory] = []
    with apart.session(stop, Correcting, correction.about, datetime.now(UTC)) as correcting:
        if (terms := correcting.call(Correcting.terms)) > TERMS_MAX:
            raise TooManyTerms(terms)
        subject = caller.transact(lambda tx: caller.known_subject(tx, correction.user_id))
        after: Place | None = None
        while subject is not None:
            page = caller.transact(lambda tx, after=after: _page(tx, subject.id, after))  # type: ignore[misc]
            in_force = [one for one in page if not one.superseded]
            correcting.call(Correcting.add, [one.text for one in in_force])
            units += in_force
            if len(page) < PAGE:
                break
            after = Place(id=page[-1].id)
        resolved = correcting.call(Correcting.resolve, correction.statement)
    candidates = [units[place].id for place in resolved.candidates]
    place = resolved.meant
    if resolved.why == "nothing_meant":
        place = _by_meaning(readings, correction, [one.text for one in units[:READ_MAX]])
    if place is None:
        return _Found(refusal=NothingCorrected(resolved.why or "nothing_meant", candidates))
    meant = units[place]
    if meant.text == correction.statement:
        return _Found(refusal=NothingCorrected("said_already", [meant.id]))
    return _Found(meant=meant)


def _by_meaning(readings: Readings, correction: Correction, texts: list[str]) -> int | None:
    """Return the place of the one text the reader takes to be meant; none where it is down."""
    try:
        return corrects(correction.about, correction.statement, texts, readings)
    except (EmbedderUnavailable, Unembeddable):
        return None


def _page(tx: Transaction, subject_id: UUID, after: Place | None) -> list[StoredMemory]:
    return list(memories.page(tx, subject_id, MemoryFilter(), after=after, limit=PAGE))


def _once(tx: Transaction, caller: Caller, correction: Correction, once: Once, found: _Found) -> dict[str, Any]:
    """Edit what was found; under a key that was used, its answer comes first: by now nothing may be left to correct."""

    def edit(subject: Subject) -> dict[str, Any]:
        meant = found.meant
        if meant is None:
            raise found.refusal or NothingCorrected("nothing_meant", ())
        wanted = {"text": correction.statement}
        new = edit_memory(
            tx, subject, meant.id, wanted, defaults=caller.defaults, actor=caller.actor, if_version=meant.version
        )
        return {"memory_id": str(new), "superseded": str(meant.id)}

    return run_once(tx, once, lambda: caller.subject(tx, correction.user_id), edit)
