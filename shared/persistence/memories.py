"""Long-term memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.domain.ids import MemoryId
from shared.domain.memories import Memory
from shared.persistence.database import Row, Transaction
from shared.persistence.subjects import Subject

SourceRole: TypeAlias = Literal["user", "assistant", "tool", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A message a memory came from, and the quote that shows it (LT-02)."""

    message_id: UUID
    conversation_id: UUID
    role: SourceRole
    turn: int
    session: int
    quote: str | None
    quote_start: int | None
    quote_end: int | None
    spoken_at: datetime


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
    supersedes: UUID | None
    conversation_id: UUID | None
    task_hint: str | None
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list; None means any."""

    content_type: str | None = None
    scope: str | None = None
    project_id: str | None = None


VISIBLE = """
  select m.id, m.text, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo, m.disabled, m.confirmed,
         m.id in (select superseded_memories(:subject)) as superseded, m.supersedes, m.conversation_id, m.task_hint,
         m.version, m.created_at, m.updated_at
  from visible_memories m where m.subject_id = :subject
"""


def save(tx: Transaction, subject_id: UUID, generation: int, memory_id: UUID, memory: Memory) -> None:
    """Write the read model of one memory as its events describe it."""
    tx.run(
        """
        insert into memories (id, subject_id, generation, content_type, scope, project_id, origin, importance, taboo,
          disabled, confirmed, supersedes, conversation_id, spoken_at, version, created_at, updated_at)
        values (:id, :subject, :generation, :content_type, :scope, :project_id, :origin, :importance, :taboo,
          :disabled, :confirmed, :supersedes, :conversation_id, :spoken_at, :version, :created_at, :updated_at)
        """,
        id=memory_id,
        subject=subject_id,
        generation=generation,
        **{name: getattr(memory, name) for name in Memory.__dataclass_fields__},
    )


def add_content(tx: Transaction, memory_id: UUID, *, text: str, task_hint: str | None) -> None:
    tx.run(
        "insert into memory_contents (memory_id, text, task_hint) values (:id, :text, :hint)",
        id=memory_id,
        text=text,
        hint=task_hint,
    )


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is folded again; contents stay. Writers wait until the transaction ends."""
    tx.run("lock table memories, user_settings in share row exclusive mode")
    tx.run("delete from memories")


def read(tx: Transaction, subject_id: UUID, memory_id: UUID) -> StoredMemory | None:
    """Return a visible memory of this person."""
    row = tx.row(f"{VISIBLE} and m.id = :id", subject=subject_id, id=memory_id)
    return _memory(row) if row else None


def page(
    tx: Transaction, subject_id: UUID, wanted: MemoryFilter, *, before: UUID | None, limit: int
) -> Sequence[StoredMemory]:
    """Return visible memories, newest first."""
    rows = tx.rows(
        f"""{VISIBLE}
          and (cast(:content_type as text) is null or m.content_type = :content_type)
          and (cast(:scope as text) is null or m.scope = :scope)
          and (cast(:project as text) is null or m.project_id = :project)
          and (cast(:before as uuid) is null or m.id < :before)
        order by m.id desc limit :limit""",
        subject=subject_id,
        content_type=wanted.content_type,
        scope=wanted.scope,
        project=wanted.project_id,
        before=before,
        limit=limit,
    )
    return [_memory(row) for row in rows]


def the_assistant_would_see(
    tx: Transaction, subject_id: UUID, *, ids: Sequence[UUID] | None, project_id: str | None, limit: int
) -> Sequence[StoredMemory]:
    """Return memories an assistant may be given: visible, not paused, not superseded, in scope.

    Order: project before global, preference, fact, note, then others, newest change first, id (CN-05).
    """
    rows = tx.rows(
        f"""{VISIBLE} and not m.disabled and m.id not in (select superseded_memories(:subject))
          and (m.scope = 'global' or m.project_id = cast(:project as text))
          and (cast(:ids as uuid[]) is null or m.id = any(:ids))
        order by (m.scope = 'project') desc,
          coalesce(array_position(array['preference', 'fact', 'note'], m.content_type), 9), m.updated_at desc, m.id
        limit :limit""",
        subject=subject_id,
        project=project_id,
        ids=list(ids) if ids is not None else None,
        limit=limit,
    )
    return [_memory(row) for row in rows]


def sources(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Source]]:
    """Return the visible messages each memory came from, with their quotes (MC-16)."""
    rows = tx.rows(
        """
        select l.derived_id, m.id, m.conversation_id, m.role, m.turn, m.session, m.spoken_at,
               l.quote_start, l.quote_end,
               case when l.quote_start is not null
                    then substring(m.text from l.quote_start + 1 for l.quote_end - l.quote_start) end as quote
        from visible_lineage l join visible_messages m on l.source_kind = 'message' and m.id = l.source_id
          and not l.context
        where l.derived_kind = 'memory' and l.derived_id = any(:ids)
        order by m.spoken_at, m.seq
        """,
        ids=list(memory_ids),
    )
    found: dict[UUID, list[Source]] = {memory_id: [] for memory_id in memory_ids}
    for row in rows:
        found[row["derived_id"]].append(
            Source(
                message_id=row["id"],
                conversation_id=row["conversation_id"],
                role=row["role"],
                turn=row["turn"],
                session=row["session"],
                quote=row["quote"],
                quote_start=row["quote_start"],
                quote_end=row["quote_end"],
                spoken_at=row["spoken_at"],
            )
        )
    return found


def already_learned(tx: Transaction, subject: Subject, message_ids: Sequence[UUID]) -> set[str]:
    """Return the texts already remembered from these messages, so that repeating a turn adds nothing."""
    rows = tx.rows(
        """
        select distinct m.text from lineage l join visible_memories m on m.id = l.derived_id
        where l.derived_kind = 'memory' and l.source_kind = 'message' and l.source_id = any(:ids)
          and not l.context and m.subject_id = :subject
        """,
        ids=list(message_ids),
        subject=subject.id,
    )
    return {row["text"] for row in rows}


def unlearnable_spans(tx: Transaction, message_ids: Sequence[UUID]) -> dict[UUID, list[tuple[int, int]]]:
    """Return the spans of these messages a person asked never to be learned again."""
    rows = tx.rows(
        "select message_id, quote_start, quote_end from unlearnable_spans where message_id = any(:ids)",
        ids=list(message_ids),
    )
    found: dict[UUID, list[tuple[int, int]]] = {}
    for row in rows:
        found.setdefault(row["message_id"], []).append((row["quote_start"], row["quote_end"]))
    return found


def never_learn_again(tx: Transaction, memory_ids: Sequence[UUID], *, operation_id: UUID) -> None:
    """Mark the quotes of deleted memories: their messages stay, these spans are not learned from again."""
    tx.run(
        """
        insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
        select source_id, coalesce(quote_start, 0), coalesce(quote_end, 2147483647), :operation, subject_id from lineage
        where derived_kind = 'memory' and derived_id = any(:ids) and source_kind = 'message' and not context
        on conflict do nothing
        """,
        ids=list(memory_ids),
        operation=operation_id,
    )


Span: TypeAlias = tuple[UUID, int, int]
"""A message, and the half-open character offsets of a quote in it."""

WHOLE_MESSAGE: Final = 2_147_483_647
"""Where the quote of a whole message ends."""


def forbidden(tx: Transaction, memory_ids: Sequence[UUID]) -> set[UUID]:
    """Return those of these announced memories that quote a span their person asked never to be learned from."""
    rows = tx.rows(
        """
        select distinct l.derived_id as id from lineage l
        join unlearnable_spans u on l.source_kind = 'message' and u.message_id = l.source_id
          and coalesce(l.quote_start, 0) < u.quote_end and coalesce(l.quote_end, 2147483647) > u.quote_start
        where l.derived_kind = 'memory' and l.derived_id = any(:ids) and not l.context
        """,
        ids=list(memory_ids),
    )
    return {row["id"] for row in rows}


def undoable_spans(tx: Transaction, message_ids: Sequence[UUID]) -> bool:
    """Return whether spans of these messages are forbidden by a forget that may still be undone."""
    found: bool = tx.value(
        """
        select exists (
          select from unlearnable_spans u join operations o on o.id = u.op_id
          where u.message_id = any(:ids) and o.status = 'pending' and o.not_before > clock_timestamp())
        """,
        ids=list(message_ids),
    )
    return found


def mark_unlearnable(tx: Transaction, subject_id: UUID, spans: Sequence[Span], *, operation_id: UUID) -> None:
    """Mark quotes as never to be learned from again."""
    tx.run(
        """
        insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
        select message_id, quote_start, quote_end, :operation, :subject
        from unnest(cast(:messages as uuid[]), cast(:starts as integer[]), cast(:ends as integer[]))
          as s(message_id, quote_start, quote_end)
        on conflict do nothing
        """,
        operation=operation_id,
        subject=subject_id,
        messages=[message_id for message_id, _, _ in spans],
        starts=[start for _, start, _ in spans],
        ends=[end for _, _, end in spans],
    )


def learned_from(tx: Transaction, spans: Sequence[Span]) -> list[UUID]:
    """Return the memories that quote exactly one of these spans."""
    rows = tx.rows(
        """
        select distinct l.derived_id as id from lineage l
        join unnest(cast(:messages as uuid[]), cast(:starts as integer[]), cast(:ends as integer[]))
          as s(message_id, quote_start, quote_end) on l.source_kind = 'message' and l.source_id = s.message_id
        where l.derived_kind = 'memory' and not l.context and coalesce(l.quote_start, 0) = s.quote_start
          and coalesce(l.quote_end, 2147483647) = s.quote_end
        """,
        messages=[message_id for message_id, _, _ in spans],
        starts=[start for _, start, _ in spans],
        ends=[end for _, _, end in spans],
    )
    return [row["id"] for row in rows]


def learn_again(tx: Transaction, operation_id: UUID) -> None:
    """Give back the quotes an operation marked: it was undone."""
    tx.run("delete from unlearnable_spans where op_id = :operation", operation=operation_id)


def superseded_by(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, UUID | None]:
    """Return these units and what each supersedes, hidden ones included."""
    rows = tx.rows("select id, supersedes from memories where id = any(:ids)", ids=list(memory_ids))
    return {row["id"]: row["supersedes"] for row in rows}


def are_visible(tx: Transaction, memory_ids: Sequence[UUID]) -> bool:
    """Return whether every one of these memories is visible now."""
    wanted = set(memory_ids)
    found = tx.value("select count(*) from visible_memories where id = any(:ids)", ids=list(wanted))
    return bool(found == len(wanted))


def successors(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the units that supersede one of these and are none of them: successor → superseded."""
    rows = tx.rows(
        "select id, supersedes from memories where supersedes = any(:ids) and not id = any(:ids)", ids=list(memory_ids)
    )
    return {row["id"]: row["supersedes"] for row in rows}


def repoint(tx: Transaction, memory_id: UUID, supersedes: UUID | None) -> None:
    """Let a unit supersede another one; its content is as it was, so `updated_at` is too."""
    tx.run(
        "update memories set supersedes = :supersedes, version = version + 1 where id = :id",
        id=memory_id,
        supersedes=supersedes,
    )


def _memory(row: Row) -> StoredMemory:
    return StoredMemory(**row)
