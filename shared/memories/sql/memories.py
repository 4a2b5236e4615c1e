"""SQL for long-term memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import select

from shared.kernel.database import Row, Transaction
from shared.kernel.emotions import Emotion, emotion_in
from shared.kernel.ids import MemoryId
from shared.kernel.metadata import Metadata
from shared.kernel.subjects import Subject
from shared.lineage.sql.vector_keys import FoundBy, found_by
from shared.memories.rules.memories import Memory
from shared.memories.sql.contents import as_json
from shared.memories.sql.tables import visible_memories

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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """A filter for memories; None matches any.

    Args:
        waiting: as `WAITING`.
        message_id, conversation_id: of one of their sources.
        metadata: they have all of these, with equal values.
        external_id: the one in force that another program calls this.
    """

    content_type: str | None = None  # None: any but the parts of documents, which are listed by document
    scope: str | None = None
    project_id: str | None = None
    origin: str | None = None
    validity: Validity | None = None
    archived: bool | None = None
    disabled: bool | None = None
    confirmed: bool | None = None
    waiting: bool | None = None
    task_hint: str | None = None
    level: Level | None = None
    message_id: UUID | None = None
    conversation_id: UUID | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    metadata: Metadata | None = None
    external_id: str | None = None


Order: TypeAlias = Literal["newest", "oldest", "importance"]
"""Sort order; memories of equal importance are sorted newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The position where a page ended: id and, if sorted by it, importance of a memory that may be gone."""

    id: UUID
    importance: int | None = None


SUPERSEDED: Final = "m.id in (select superseded_memories(:subject))"
CONTRADICTED: Final = """exists (select from visible_memories newer where newer.contradicts = m.id
    and newer.subject_id = :subject and newer.id not in (select superseded_memories(:subject)))"""
"""A current newer memory may contradict it, and the person has not decided."""

VALIDITY: Final = f"""case when {SUPERSEDED} then 'superseded' when {CONTRADICTED} then 'contradicted'
  else 'active' end"""
WAITING: Final = f"""(m.origin <> 'stated' and not m.confirmed and not m.disabled and not m.archived
  and not {SUPERSEDED})"""
"""The person neither stated it explicitly nor confirmed, paused or archived it."""

_SHOWN: Final = f"""
  m.id, m.text, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo, m.disabled, m.confirmed,
  {SUPERSEDED} as superseded, {CONTRADICTED} as contradicted, m.archived, m.supersedes,
  (select older.id from visible_memories older where older.id = m.contradicts) as contradicts,
  m.conversation_id, m.spoken_at, m.method, m.task_hint, m.emotion, m.metadata, m.external_id, m.level, m.version,
  m.created_at, m.updated_at
"""  # noqa: S608 # constants of this module
_OF_A_PERSON: Final = "from visible_memories m where m.subject_id = :subject"
VISIBLE: Final = f"select {_SHOWN} {_OF_A_PERSON}"
LISTED: Final = f"select {_SHOWN}, {found_by('memory', 'm.id')} {_OF_A_PERSON}"
"""For display to people: includes `found_by`, which recall and packages do not need."""


COMES_FROM: Final = """
  select l.derived_id from visible_lineage l join visible_messages t on t.id = l.source_id
  where l.derived_kind = 'memory' and l.source_kind = 'message' and not l.context and l.subject_id = :subject"""

_COLUMNS: Final = tuple(Memory.__dataclass_fields__)


def save(tx: Transaction, subject_id: UUID, generation: int, memory_id: UUID, memory: Memory) -> None:
    """Insert the read model of one memory."""
    save_all(tx, subject_id, generation, {memory_id: memory})


def save_all(tx: Transaction, subject_id: UUID, generation: int, begun: Mapping[UUID, Memory]) -> None:
    """Insert the read models of memories."""
    tx.run_many(
        f"""
        insert into memories (id, subject_id, generation, {", ".join(_COLUMNS)})
        values (:id, :subject, :generation, {", ".join(f":{name}" for name in _COLUMNS)})
        """,  # noqa: S608 # columns of this module
        [
            {
                "id": memory_id,
                "subject": subject_id,
                "generation": generation,
                **{name: getattr(memory, name) for name in _COLUMNS},
            }
            for memory_id, memory in begun.items()
        ],
    )


def for_change(tx: Transaction, subject: Subject, memory_id: UUID, *, hidden_too: bool = False) -> Memory | None:
    """Return a visible memory of this person, locked until the transaction ends.

    Args:
        hidden_too: include memories hidden by a forget, because it may be undone.
    """
    row = tx.row(
        f"""
        select {", ".join(_COLUMNS)} from memories where id = :id and subject_id = :subject
          and generation = :generation
          and (:hidden_too or exists (select from visible_memories v where v.id = memories.id))
        for update
        """,  # noqa: S608 # columns of this module
        id=memory_id,
        hidden_too=hidden_too,
        subject=subject.id,
        generation=subject.generation,
    )
    return Memory(**row) if row else None


def update(tx: Transaction, memory_id: UUID, memory: Memory) -> None:
    """Update the read model of a changed memory."""
    tx.run(
        f"update memories set {', '.join(f'{name} = :{name}' for name in _COLUMNS)} where id = :id",  # noqa: S608
        id=memory_id,
        **{name: getattr(memory, name) for name in _COLUMNS},
    )


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt from events; contents remain. Blocks writers until the commit."""
    tx.run("lock table memories, user_settings in share row exclusive mode")
    tx.run("delete from memories")


def read(tx: Transaction, subject_id: UUID, memory_id: UUID) -> StoredMemory | None:
    """Return a visible memory of this person."""
    row = tx.row(f"{LISTED} and m.id = :id", subject=subject_id, id=memory_id)
    return _memory(row) if row else None


IS_PART: Final = "exists (select from visible_document_parts p where p.memory_id = m.id)"
"""It is a part of a document, and listed there."""

_WANTED: Final = f"""
          and case when cast(:content_type as text) is null then not {IS_PART} else m.content_type = :content_type end
          and (cast(:scope as text) is null or m.scope = :scope)
          and (cast(:project as text) is null or m.project_id = :project)
          and (cast(:origin as text) is null or m.origin = :origin)
          and (cast(:validity as text) is null
            or :validity = {VALIDITY})
          and (cast(:archived as boolean) is null or m.archived = :archived)
          and (cast(:disabled as boolean) is null or m.disabled = :disabled)
          and (cast(:confirmed as boolean) is null or m.confirmed = :confirmed)
          and (cast(:waiting as boolean) is null or {WAITING} = :waiting)
          and (cast(:task_hint as text) is null or m.task_hint = :task_hint)
          and (cast(:level as text) is null or m.level = :level)
          and (cast(:message_id as uuid) is null or m.id in ({COMES_FROM} and t.id = :message_id))
          and (cast(:conversation_id as uuid) is null
            or m.id in ({COMES_FROM} and t.conversation_id = :conversation_id))
          and (cast(:created_after as timestamptz) is null or m.created_at >= :created_after)
          and (cast(:created_before as timestamptz) is null or m.created_at < :created_before)
          and (cast(:metadata as jsonb) is null or m.metadata @> :metadata)
          and (cast(:external_id as text) is null or (m.external_id = :external_id and not {SUPERSEDED}))"""
"""The conditions of a `MemoryFilter`."""

_ORDERS: Final[dict[Order, str]] = {
    "newest": "and (cast(:after as uuid) is null or m.id < :after) order by m.id desc",
    "oldest": "and (cast(:after as uuid) is null or m.id > :after) order by m.id",
    "importance": """and (cast(:after as uuid) is null or (m.importance, m.id) < (:importance, :after))
      order by m.importance desc, m.id desc""",
}
"""The condition for rows after a position, and the sort order."""


def page(
    tx: Transaction,
    subject_id: UUID,
    wanted: MemoryFilter,
    *,
    after: Place | None,
    limit: int,
    order: Order = "newest",
) -> Sequence[StoredMemory]:
    """Return a page of visible memories after a position."""
    rows = tx.rows(
        f"{LISTED} {_WANTED} {_ORDERS[order]} limit :limit",
        **_given(subject_id, wanted),
        after=after.id if after else None,
        limit=limit,
        **({"importance": after.importance if after else None} if order == "importance" else {}),
    )
    return [_memory(row) for row in rows]


def ids_of(tx: Transaction, subject_id: UUID, wanted: MemoryFilter, *, limit: int) -> list[MemoryId]:
    """Return the ids of up to `limit` visible memories, newest first."""
    rows = tx.rows(
        f"""select m.id from visible_memories m where m.subject_id = :subject {_WANTED}
        order by m.id desc limit :limit""",  # noqa: S608 # constants of this module
        **_given(subject_id, wanted),
        limit=limit,
    )
    return [row["id"] for row in rows]


def _given(subject_id: UUID, wanted: MemoryFilter) -> dict[str, object]:
    """Return the parameters of `_WANTED`."""
    named = {name: getattr(wanted, name) for name in MemoryFilter.__dataclass_fields__ if name != "project_id"}
    metadata = as_json(wanted.metadata)
    return {**named, "subject": subject_id, "project": wanted.project_id, "metadata": metadata}


def the_assistant_would_see(
    tx: Transaction, subject_id: UUID, *, ids: Sequence[UUID] | None, project_id: str | None, limit: int
) -> Sequence[StoredMemory]:
    """Return the memories an assistant may receive: visible, in scope, not paused, archived or superseded.

    Order: project before global; preference, fact, note, then others; last change first; id (CN-05).
    """
    rows = tx.rows(
        f"""{VISIBLE} and not m.disabled and not m.archived and m.id not in (select superseded_memories(:subject))
          and (cast(:ids as uuid[]) is not null or m.method is distinct from 'document')
          and (m.scope = 'global' or m.project_id = cast(:project as text))
          and (cast(:ids as uuid[]) is null or m.id = any(:ids))
        order by (m.scope = 'project') desc,
          coalesce(array_position(array['preference', 'fact', 'note'], m.content_type), 9), m.updated_at desc, m.id
        limit :limit""",  # noqa: S608 # constants of this module
        subject=subject_id,
        project=project_id,
        ids=list(ids) if ids is not None else None,
        limit=limit,
    )
    return [_memory(row) for row in rows]


def are_visible(tx: Transaction, memory_ids: Sequence[UUID]) -> bool:
    """Return whether all of these memories are visible."""
    wanted = set(memory_ids)
    found = tx.value("select count(*) from visible_memories where id = any(:ids)", ids=list(wanted))
    return bool(found == len(wanted))


def _memory(row: Row) -> StoredMemory:
    return StoredMemory(**{**row, "emotion": emotion_in(row["emotion"])})
