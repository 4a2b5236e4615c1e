"""SQL for relations between memories: supersession and contradiction (LT-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.memories.sql.memories import LISTED, StoredMemory

_OLDER: Final = """
  older(id, place) as (
    select cast(:id as uuid), 0
    union
    select m.supersedes, o.place - 1 from older o join memories m on m.id = o.id where m.supersedes is not null
  )
"""
_NEWER: Final = """
  newer(id, place) as (
    select cast(:id as uuid), 0
    union
    select m.id, n.place + 1 from newer n join memories m on m.supersedes = n.id
  )
"""
"""Hidden memories are traversed but not returned."""


def chain(tx: Transaction, subject_id: UUID, memory_id: UUID) -> list[StoredMemory]:
    """Return the visible memories of a memory's supersession chain, oldest first."""
    rows = tx.rows(
        f"""
        with recursive {_OLDER}, {_NEWER}, linked as (select * from older union select * from newer)
        select unit.* from ({LISTED}) as unit
        join (select id, min(place) as place from linked group by id) as linked using (id)
        order by linked.place, unit.id
        """,  # noqa: S608 # constants of this module
        subject=subject_id,
        id=memory_id,
    )
    return [StoredMemory(**row) for row in rows]


def is_reachable(tx: Transaction, memory_id: UUID, wanted: UUID) -> bool:
    """Return whether `wanted` is the memory itself or one it superseded, directly or indirectly."""
    found: bool = tx.value(
        f"with recursive {_OLDER} select exists (select from older where id = :wanted)",  # noqa: S608 # as above
        id=memory_id,
        wanted=wanted,
    )
    return found


def first_version(tx: Transaction, memory_id: UUID) -> UUID:
    """Return the oldest existing memory of a chain, including hidden ones."""
    found: UUID = tx.value(
        f"""
        with recursive {_OLDER}
        select older.id from older join memories m on m.id = older.id order by place limit 1
        """,  # noqa: S608 # as above
        id=memory_id,
    )
    return found


def holding_after(tx: Transaction, subject_id: UUID, memory_id: UUID) -> UUID | None:
    """Return the current visible memory at the end of a memory's chain; the memory itself if nothing superseded it."""
    found: UUID | None = tx.value(
        f"""
        with recursive {_NEWER}
        select m.id from newer join visible_memories m on m.id = newer.id and m.subject_id = :subject
        where m.id not in (select superseded_memories(:subject)) order by newer.place desc, m.id desc limit 1
        """,  # noqa: S608 # as above
        subject=subject_id,
        id=memory_id,
    )
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
