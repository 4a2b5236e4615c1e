"""Correct a memory by description: find and edit it while the client waits (X-06, CN-03)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest
from typing import Any, Final
from uuid import UUID

from services.api import Caller
from services.memory_center.memory_schemas import CorrectionPreview
from shared.kernel.database import Transaction
from shared.kernel.errors import MemoryChanged, MemorySuperseded, NotFound, NothingCorrected
from shared.kernel.idempotency import Once
from shared.kernel.subjects import Subject
from shared.language.corrections import Corrected, to_correct, with_statement
from shared.language.descriptions import Description
from shared.language.embedding.bundled import Unembeddable
from shared.language.port import Readings
from shared.memories.edit import edit_memory
from shared.memories.sql import listing
from shared.memories.sql.listing import MemoryFilter, Place
from shared.memories.sql.memories import StoredMemory
from shared.runtime.describing import Patience
from shared.runtime.problems import Busy
from shared.traits.reflect import queue_after_statement

PAGE: Final = 500
READ_MAX: Final = 60
"""Most memories in force the reader looks at; they take 0.7 s of processor time."""
TRIES: Final = 3
"""Attempts if the memory changes between finding and editing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A description of the memory, and the statement that replaces it, in the person's words."""

    user_id: str
    about: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The memory to correct, as it was read, with its new text, or the reason there is none."""

    meant: StoredMemory | None = None
    corrected: str = ""
    refusal: NothingCorrected | None = None


def correct(
    caller: Caller, readings: Readings, correction: Correction, once: Once, stop: threading.Event
) -> dict[str, Any]:
    """Replace the one memory a statement is about, as an edit by hand does.

    Args:
        readings: decides which memory is meant.

    Returns:
        `memory_id` and the id it `superseded`.

    Raises:
        NothingCorrected: no memory is meant, or several equally, or the memory already says this.
        TooManyTerms: the description has too many search words.
        LongTermOff, SubjectBusy, IdempotencyConflict: as `edit_memory` and `run_idempotent`.
        Busy: the memory changed during each attempt.
        EmbedderUnavailable: the reader is unavailable.
        Stopped, TookTooLong: as `Patience.check`.
    """
    for _ in range(TRIES):
        found = _look(caller, readings, correction, Patience(stop))
        try:
            return caller.transact_once(once, lambda tx: caller.subject(tx, correction.user_id), _edit(caller, found))
        except (NotFound, MemoryChanged, MemorySuperseded):
            continue
    raise Busy


def preview_correction(
    caller: Caller, readings: Readings, correction: Correction, stop: threading.Event
) -> CorrectionPreview:
    """Return which memory `correct` would replace now, and by what.

    Raises:
        NothingCorrected, TooManyTerms, EmbedderUnavailable, Stopped, TookTooLong: as `correct`.
    """
    found = _look(caller, readings, correction, Patience(stop))
    if found.meant is None:
        raise found.refusal or NothingCorrected("nothing_meant", ())
    meant = found.meant
    return CorrectionPreview(id=meant.id, content=meant.text, corrected=found.corrected, version=meant.version)


def _look(caller: Caller, readings: Readings, correction: Correction, patience: Patience) -> _Found:
    """Return the memory in force that is meant, among the newest ones that share most words with the correction."""
    wanted = Description(f"{correction.about} {correction.statement}", datetime.now(UTC))
    Description(correction.about, wanted.now).check()
    subject = caller.transact(lambda tx: caller.known_subject(tx, correction.user_id))
    memories = list(_in_force(caller, subject.id, patience)) if subject is not None else []
    shares = [wanted.share(memory.text) for memory in memories]
    places = sorted(nlargest(READ_MAX, range(len(memories)), key=lambda place: (shares[place], -place)))
    texts = [memories[place].text for place in places]
    try:
        found = to_correct(correction.about, correction.statement, texts, readings, between=patience.check)
    except Unembeddable:
        found = Corrected(None, "nothing_meant", ())
    candidates = [memories[places[place]].id for place in found.candidates]
    if found.meant is None:
        return _Found(refusal=NothingCorrected(found.why or "nothing_meant", candidates))
    meant = memories[places[found.meant]]
    corrected = with_statement(meant.text, found.spans, correction.statement)
    if meant.text == corrected:
        return _Found(refusal=NothingCorrected("said_already", [meant.id]))
    return _Found(meant=meant, corrected=corrected)


def _in_force(caller: Caller, subject_id: UUID, patience: Patience) -> Iterator[StoredMemory]:
    """Yield a person's memories in force, newest first."""
    after: Place | None = None
    theirs = caller.database.of(subject_id)
    while True:
        patience.check()
        page = theirs.transact(lambda tx, after=after: _page(tx, subject_id, after))  # type: ignore[misc]
        yield from (one for one in page if not one.superseded)
        if len(page) < PAGE:
            return
        after = Place(id=page[-1].id)


def _page(tx: Transaction, subject_id: UUID, after: Place | None) -> list[StoredMemory]:
    return list(listing.page(tx, subject_id, MemoryFilter(), after=after, limit=PAGE))


def _edit(caller: Caller, found: _Found) -> Callable[[Transaction, Subject], dict[str, Any]]:
    """Return what edits the memory. A key used before gets its first answer, since nothing may be left to correct."""

    def edit(tx: Transaction, subject: Subject) -> dict[str, Any]:
        meant = found.meant
        if meant is None:
            raise found.refusal or NothingCorrected("nothing_meant", ())
        wanted = {"text": found.corrected}
        new = edit_memory(
            tx, subject, meant.id, wanted, terms=caller.terms, actor=caller.actor, if_version=meant.version
        )
        queue_after_statement(tx, subject, actor=caller.actor, terms=caller.terms)
        return {"memory_id": str(new), "superseded": str(meant.id)}

    return edit
