"""A correction by description finds the memory that is meant, and takes its place (X-06)."""

from __future__ import annotations

from functools import partial

from shared.commands.correct_memory import correct_memory, read_correction, refuse_correction
from shared.commands.refusals import LongTermOff, MemoryChanged, MemorySuperseded, NotFound
from shared.models.descriptions import Unit, unit_meant
from shared.persistence import memories
from shared.persistence.database import Transaction
from shared.persistence.memories import MemoryFilter
from shared.persistence.outbox import Lease
from workers.learner.indexing import SWITCHED_OFF_SECONDS
from workers.leases import Postponed
from workers.process import process

PAGE = 500


def correct_by_description(lease: Lease) -> None:
    """Find the one unit in force that is meant and edit it; none, or several alike, and the operation says so."""
    database = process().database
    correction = database.transact(lambda tx: read_correction(tx, lease))
    if correction is None:
        return
    units = _units_in_force(lease)
    meant = unit_meant(correction.about, correction.statement, [unit for unit, _ in units])
    if isinstance(meant, str):
        database.transact(lambda tx: refuse_correction(tx, lease, meant))
        return
    unit, version = units[meant]
    correct = partial(
        correct_memory,
        lease=lease,
        correction=correction,
        memory_id=unit.id,
        if_version=version,
        defaults=process().defaults,
    )
    try:
        database.transact(correct)
    except (NotFound, MemoryChanged, MemorySuperseded):
        raise Postponed("context_changed", 0.0) from None
    except LongTermOff:
        raise Postponed("switched_off", SWITCHED_OFF_SECONDS) from None


def _units_in_force(lease: Lease) -> list[tuple[Unit, int]]:
    """Return every unit of the person nothing took the place of, each page in a transaction of its own."""
    found: list[tuple[Unit, int]] = []
    before = None
    while True:
        page = process().database.transact(partial(_page, lease=lease, before=before))
        found += [(Unit(id=one.id, text=one.text), one.version) for one in page if not one.superseded]
        if len(page) < PAGE:
            return found
        before = page[-1].id


def _page(tx: Transaction, *, lease: Lease, before: object) -> list[memories.StoredMemory]:
    return list(memories.page(tx, lease.subject_id, MemoryFilter(), before=before, limit=PAGE))  # type: ignore[arg-type]
