"""SQL for long-term memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import ARRAY, Boolean, Uuid, any_, bindparam, case, exists, func, select

from shared.kernel.database import Row, Transaction
from shared.kernel.emotions import Emotion, emotion_in
from shared.kernel.ids import MemoryId
from shared.kernel.metadata import Metadata
from shared.kernel.subjects import Subject
from shared.lineage.sql.vector_keys import FoundBy, found_by
from shared.memories.rules.memories import Memory
from shared.memories.sql.tables import memories, visible_memories

AS_DERIVED: Final = select(
    visible_memories.c.id,
    visible_memories.c.content_type.label("label"),
    visible_memories.c.text.label("content"),
    visible_memories.c.created_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""

Level: TypeAlias = Literal["L1", "L2"]
"""L1: as learned; L2: consolidated (LT-04)."""
Validity: TypeAlias = Literal["active", "superseded", "contradicted"]
"""`contradicted`: it has an open contradiction with a newer memory (LT-03)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """A visible memory with its content."""

    id: MemoryId
    text: str
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    importance: int
    taboo: bool
    disabled: bool
    confirmed: bool
    superseded: bool
    contradicted: bool
    archived: bool
    supersedes: UUID | None
    contradicts: UUID | None
    conversation_id: UUID | None
    spoken_at: datetime | None
    method: str | None
    task_hint: str | None
    emotion: Emotion | None
    metadata: Metadata | None
    external_id: str | None
    level: Level
    version: int
    created_at: datetime
    updated_at: datetime
    found_by: FoundBy | None = None
    """Set only if the query selects it."""

    @property
    def validity(self) -> Validity:
        if self.superseded:
            return "superseded"
        return "contradicted" if self.contradicted else "active"


_M: Final = visible_memories.c
_FIELDS: Final = tuple(Memory.__dataclass_fields__)
_NEWER: Final = visible_memories.alias("newer")
_OLDER: Final = visible_memories.alias("older")
_ALL_SUPERSEDED: Final = select(func.superseded_memories(bindparam("subject", type_=Uuid)))

SUPERSEDED: Final = _M.id.in_(_ALL_SUPERSEDED)
CONTRADICTED: Final = exists().where(
    _NEWER.c.contradicts == _M.id, _NEWER.c.subject_id == bindparam("subject"), _NEWER.c.id.not_in(_ALL_SUPERSEDED)
)
"""A current newer memory may contradict it, and the person has not decided."""

_COMPUTED: Final = ("superseded", "contradicted", "contradicts", "found_by")
VISIBLE: Final = (
    select(*(_M[name] for name in StoredMemory.__dataclass_fields__ if name not in _COMPUTED))
    .add_columns(SUPERSEDED.label("superseded"), CONTRADICTED.label("contradicted"))
    .add_columns(select(_OLDER.c.id).where(_OLDER.c.id == _M.contradicts).scalar_subquery().label("contradicts"))
    .where(_M.subject_id == bindparam("subject"))
)
LISTED: Final = VISIBLE.add_columns(found_by("memory", _M.id))
"""For display to people: includes `found_by`, which recall and packages do not need."""
_BY_ID: Final = LISTED.where(_M.id == bindparam("id"))

_OFFERED: Final = (
    VISIBLE.where(~_M.disabled, ~_M.archived, ~SUPERSEDED)
    .where((_M.scope == "global") | (_M.project_id == bindparam("project")))
    .order_by((_M.scope == "project").desc())
    .order_by(
        case({"preference": 1, "fact": 2, "note": 3}, value=_M.content_type, else_=9), _M.updated_at.desc(), _M.id
    )
    .limit(bindparam("limit"))
)
_SOME_OFFERED: Final = _OFFERED.where(_M.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
_ANY_OFFERED: Final = _OFFERED.where(_M.method.is_distinct_from("document"))

_LOCKED: Final = (
    select(*(memories.c[name] for name in _FIELDS))
    .where(memories.c.id == bindparam("id"), memories.c.subject_id == bindparam("subject"))
    .where(memories.c.generation == bindparam("generation"))
    .where(bindparam("hidden_too", type_=Boolean) | exists().where(_M.id == memories.c.id))
    .with_for_update()
)
_UPDATE: Final = memories.update().where(memories.c.id == bindparam("of"))


def save(tx: Transaction, subject_id: UUID, generation: int, memory_id: UUID, memory: Memory) -> None:
    """Insert the read model of one memory."""
    save_all(tx, subject_id, generation, {memory_id: memory})


def save_all(tx: Transaction, subject_id: UUID, generation: int, begun: Mapping[UUID, Memory]) -> None:
    """Insert the read models of memories."""
    tx.run_many(
        memories.insert(),
        [
            {"id": memory_id, "subject_id": subject_id, "generation": generation, **asdict(memory)}
            for memory_id, memory in begun.items()
        ],
    )


def for_change(tx: Transaction, subject: Subject, memory_id: UUID, *, hidden_too: bool = False) -> Memory | None:
    """Return a visible memory of this person, locked until the transaction ends.

    Args:
        hidden_too: include memories hidden by a forget, because it may be undone.
    """
    row = tx.row(_LOCKED, id=memory_id, subject=subject.id, generation=subject.generation, hidden_too=hidden_too)
    return Memory(**row) if row else None


def update(tx: Transaction, memory_id: UUID, memory: Memory) -> None:
    """Update the read model of a changed memory."""
    tx.run(_UPDATE, of=memory_id, **asdict(memory))


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt from events; contents remain. Blocks writers until the commit."""
    tx.run("lock table memories, user_settings in share row exclusive mode")
    tx.run("delete from memories")


def read(tx: Transaction, subject_id: UUID, memory_id: UUID) -> StoredMemory | None:
    """Return a visible memory of this person."""
    row = tx.row(_BY_ID, subject=subject_id, id=memory_id)
    return as_memory(row) if row else None


def the_assistant_would_see(
    tx: Transaction, subject_id: UUID, *, ids: Sequence[UUID] | None, project_id: str | None, limit: int
) -> Sequence[StoredMemory]:
    """Return the memories an assistant may receive: visible, in scope, not paused, archived or superseded.

    Order: project before global; preference, fact, note, then others; last change first; id (CN-05).
    """
    if ids is None:
        rows = tx.rows(_ANY_OFFERED, subject=subject_id, project=project_id, limit=limit)
    else:
        rows = tx.rows(_SOME_OFFERED, subject=subject_id, project=project_id, limit=limit, ids=list(ids))
    return [as_memory(row) for row in rows]


def are_visible(tx: Transaction, memory_ids: Sequence[UUID]) -> bool:
    """Return whether all of these memories are visible."""
    wanted = set(memory_ids)
    found = tx.value("select count(*) from visible_memories where id = any(:ids)", ids=list(wanted))
    return bool(found == len(wanted))


def as_memory(row: Row) -> StoredMemory:
    return StoredMemory(**{**row, "emotion": emotion_in(row["emotion"])})


def replace_part(tx: Transaction, old: UUID, new: UUID) -> None:
    """Put another memory in the place of a document's part; of a memory that is none this changes nothing."""
    tx.run("update document_parts set memory_id = :new where memory_id = :old", new=new, old=old)
