"""SQL for relations between memories: supersession and contradiction (LT-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, exists, func, literal, select

from shared.kernel.database import Transaction
from shared.memories.sql.memories import LISTED, SUPERSEDED, StoredMemory
from shared.memories.sql.tables import memories, visible_memories

_M: Final = visible_memories.c
_START: Final = select(bindparam("id", type_=Uuid).label("id"), literal(0).label("place"))
_older: Final = _START.cte("older", recursive=True)
_OLDER: Final = _older.union(
    select(memories.c.supersedes, _older.c.place - 1)
    .join(_older, _older.c.id == memories.c.id)
    .where(memories.c.supersedes.is_not(None))
)
_newer: Final = _START.cte("newer", recursive=True)
_NEWER: Final = _newer.union(
    select(memories.c.id, _newer.c.place + 1).join(_newer, _newer.c.id == memories.c.supersedes)
)
"""Hidden memories are traversed but not returned."""

_LINKED: Final = select(_OLDER).union(select(_NEWER)).cte("linked")
_PLACES: Final = (
    select(_LINKED.c.id, func.min(_LINKED.c.place).label("place")).group_by(_LINKED.c.id).subquery("places")
)
_MEMORY: Final = LISTED.subquery("memory")
_CHAIN: Final = select(_MEMORY).join(_PLACES, _PLACES.c.id == _MEMORY.c.id).order_by(_PLACES.c.place, _MEMORY.c.id)
_IS_REACHABLE: Final = select(exists().where(_OLDER.c.id == bindparam("wanted")))
_FIRST: Final = select(_OLDER.c.id).join(memories, memories.c.id == _OLDER.c.id).order_by(_OLDER.c.place).limit(1)
_HOLDING: Final = (
    select(_M.id)
    .join(_NEWER, _NEWER.c.id == _M.id)
    .where(_M.subject_id == bindparam("subject"), ~SUPERSEDED)
    .order_by(_NEWER.c.place.desc(), _M.id.desc())
    .limit(1)
)


def chain(tx: Transaction, subject_id: UUID, memory_id: UUID) -> list[StoredMemory]:
    """Return the visible memories of a memory's supersession chain, oldest first."""
    return [StoredMemory(**row) for row in tx.rows(_CHAIN, subject=subject_id, id=memory_id)]


def is_reachable(tx: Transaction, memory_id: UUID, wanted: UUID) -> bool:
    """Return whether `wanted` is the memory itself or one it superseded, directly or indirectly."""
    found: bool = tx.value(_IS_REACHABLE, id=memory_id, wanted=wanted)
    return found


def first_version(tx: Transaction, memory_id: UUID) -> UUID:
    """Return the oldest existing memory of a chain, including hidden ones."""
    found: UUID = tx.value(_FIRST, id=memory_id)
    return found


def holding_after(tx: Transaction, subject_id: UUID, memory_id: UUID) -> UUID | None:
    """Return the current visible memory at the end of a memory's chain; the memory itself if nothing superseded it."""
    found: UUID | None = tx.value(_HOLDING, subject=subject_id, id=memory_id)
    return found


def disputing(tx: Transaction, subject_id: UUID, memory_id: UUID) -> Sequence[UUID]:
    """Return the current memories that may contradict this one, oldest first."""
    rows = tx.rows(
        """
        select m.id from visible_memories m where m.subject_id = :subject and m.contradicts = :id
          and m.id not in (select superseded_memories(:subject)) order by m.id
        """,
        subject=subject_id,
        id=memory_id,
    )
    return [row["id"] for row in rows]


def contradicting(tx: Transaction, subject_id: UUID, memory_id: UUID) -> Sequence[UUID]:
    """Return all memories that may contradict this one, hidden ones too, oldest first."""
    rows = tx.rows(
        "select id from memories where subject_id = :subject and contradicts = :id order by id",
        subject=subject_id,
        id=memory_id,
    )
    return [row["id"] for row in rows]


def superseded_by(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, UUID | None]:
    """Return what each of these memories supersedes, including hidden ones."""
    rows = tx.rows("select id, supersedes from memories where id = any(:ids)", ids=list(memory_ids))
    return {row["id"]: row["supersedes"] for row in rows}


def successors(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the other memories that supersede one of these: successor → superseded."""
    rows = tx.rows(
        "select id, supersedes from memories where supersedes = any(:ids) and not id = any(:ids)", ids=list(memory_ids)
    )
    return {row["id"]: row["supersedes"] for row in rows}


def repoint(tx: Transaction, memory_id: UUID, supersedes: UUID | None) -> None:
    """Change which memory a memory supersedes; `updated_at` is kept, because the content did not change."""
    tx.run(
        "update memories set supersedes = :supersedes, version = version + 1 where id = :id",
        id=memory_id,
        supersedes=supersedes,
    )
