"""Long-term memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.domain.ids import MemoryId
from shared.domain.memories import Memory
from shared.persistence import conversations
from shared.persistence.database import Row, Transaction
from shared.persistence.subjects import Subject

SourceRole: TypeAlias = Literal["user", "assistant", "tool", "system"]
Validity: TypeAlias = Literal["active", "superseded", "contradicted"]
"""`contradicted`: an open contradiction with a newer unit (LT-03)."""


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
    conversation_title: str | None = None


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
    version: int
    created_at: datetime
    updated_at: datetime

    @property
    def validity(self) -> Validity:
        if self.superseded:
            return "superseded"
        return "contradicted" if self.contradicted else "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list; None means any.

    Args:
        waiting: as `WAITING`.
        message_id, conversation_id: where something they come from was said.
    """

    content_type: str | None = None
    scope: str | None = None
    project_id: str | None = None
    origin: str | None = None
    validity: Validity | None = None
    archived: bool | None = None
    disabled: bool | None = None
    confirmed: bool | None = None
    waiting: bool | None = None
    task_hint: str | None = None
    message_id: UUID | None = None
    conversation_id: UUID | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


SUPERSEDED: Final = "m.id in (select superseded_memories(:subject))"
CONTRADICTED: Final = """exists (select from visible_memories newer where newer.contradicts = m.id
    and newer.subject_id = :subject and newer.id not in (select superseded_memories(:subject)))"""
"""A newer unit that holds may contradict it, and its person has not decided."""

VALIDITY: Final = f"""case when {SUPERSEDED} then 'superseded' when {CONTRADICTED} then 'contradicted'
  else 'active' end"""
WAITING: Final = f"""(m.origin <> 'stated' and not m.confirmed and not m.disabled and not m.archived
  and not {SUPERSEDED})"""
"""Nobody said outright that it is to be remembered, and its person has neither confirmed nor put it away."""

VISIBLE: Final = f"""
  select m.id, m.text, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo, m.disabled, m.confirmed,
         {SUPERSEDED} as superseded, {CONTRADICTED} as contradicted, m.archived, m.supersedes,
         (select older.id from visible_memories older where older.id = m.contradicts) as contradicts,
         m.conversation_id, m.spoken_at, m.method, m.task_hint, m.version, m.created_at, m.updated_at
  from visible_memories m where m.subject_id = :subject
"""  # noqa: S608 # constants of this module


COMES_FROM: Final = """
  select l.derived_id from visible_lineage l join visible_messages t on t.id = l.source_id
  where l.derived_kind = 'memory' and l.source_kind = 'message' and not l.context and l.subject_id = :subject"""

_COLUMNS: Final = tuple(Memory.__dataclass_fields__)


def save(tx: Transaction, subject_id: UUID, generation: int, memory_id: UUID, memory: Memory) -> None:
    """Write the read model of one memory as its events describe it."""
    tx.run(
        f"""
        insert into memories (id, subject_id, generation, {", ".join(_COLUMNS)})
        values (:id, :subject, :generation, {", ".join(f":{name}" for name in _COLUMNS)})
        """,  # noqa: S608 # columns of this module
        id=memory_id,
        subject=subject_id,
        generation=generation,
        **{name: getattr(memory, name) for name in _COLUMNS},
    )


def for_change(tx: Transaction, subject: Subject, memory_id: UUID, *, hidden_too: bool = False) -> Memory | None:
    """Return a visible unit of this person, kept from other changes until the transaction ends.

    Args:
        hidden_too: whether one that a forget has hidden, and that forget may be undone, counts.
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
    """Write the read model of a unit that changed."""
    tx.run(
        f"update memories set {', '.join(f'{name} = :{name}' for name in _COLUMNS)} where id = :id",  # noqa: S608
        id=memory_id,
        **{name: getattr(memory, name) for name in _COLUMNS},
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
          and (cast(:origin as text) is null or m.origin = :origin)
          and (cast(:validity as text) is null
            or :validity = {VALIDITY})
          and (cast(:archived as boolean) is null or m.archived = :archived)
          and (cast(:disabled as boolean) is null or m.disabled = :disabled)
          and (cast(:confirmed as boolean) is null or m.confirmed = :confirmed)
          and (cast(:waiting as boolean) is null or {WAITING} = :waiting)
          and (cast(:task_hint as text) is null or m.task_hint = :task_hint)
          and (cast(:message_id as uuid) is null or m.id in ({COMES_FROM} and t.id = :message_id))
          and (cast(:conversation_id as uuid) is null
            or m.id in ({COMES_FROM} and t.conversation_id = :conversation_id))
          and (cast(:created_after as timestamptz) is null or m.created_at >= :created_after)
          and (cast(:created_before as timestamptz) is null or m.created_at < :created_before)
          and (cast(:before as uuid) is null or m.id < :before)
        order by m.id desc limit :limit""",
        subject=subject_id,
        project=wanted.project_id,
        **{name: getattr(wanted, name) for name in MemoryFilter.__dataclass_fields__ if name != "project_id"},
        before=before,
        limit=limit,
    )
    return [_memory(row) for row in rows]


def the_assistant_would_see(
    tx: Transaction, subject_id: UUID, *, ids: Sequence[UUID] | None, project_id: str | None, limit: int
) -> Sequence[StoredMemory]:
    """Return memories an assistant may be given: visible, not paused, archived or superseded, in scope.

    Order: project before global, preference, fact, note, then others, newest change first, id (CN-05).
    """
    rows = tx.rows(
        f"""{VISIBLE} and not m.disabled and not m.archived and m.id not in (select superseded_memories(:subject))
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


def sources_with_titles(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Source]]:
    """Return `sources`, each with what its conversation is called: for people, who know it by that."""
    found = sources(tx, memory_ids)
    titles = conversations.titles(tx, {one.conversation_id for several in found.values() for one in several})
    return {
        id_: [replace(one, conversation_title=titles.get(one.conversation_id)) for one in several]
        for id_, several in found.items()
    }


def sources(tx: Transaction, memory_ids: Sequence[UUID]) -> dict[UUID, list[Source]]:
    """Return the visible messages each memory came from, with their quotes (MC-16).

    What feedback taught comes from the messages that were judged. They are read by key, whatever the planner takes the
    rest for: joined, they would cost what the person has.
    """
    rows = tx.rows(
        """
        with evidence as materialized (
          select derived_id, source_id as message_id, quote_start, quote_end from visible_lineage
          where derived_kind = 'memory' and derived_id = any(:ids) and source_kind = 'message' and not context
          union all
          select distinct l.derived_id, f.message_id, cast(null as integer), cast(null as integer)
          from visible_lineage l
          join visible_preference_signals p on l.source_kind = 'signal' and p.id = l.source_id
          join visible_feedback f on f.id = p.feedback_id
          where l.derived_kind = 'memory' and l.derived_id = any(:ids)
        ), said as materialized (
          select id, conversation_id, seq, role, turn, session, spoken_at, text from visible_messages
          where id = any(array(select message_id from evidence))
        )
        select e.derived_id, m.id, m.conversation_id, m.role, m.turn, m.session, m.spoken_at,
               e.quote_start, e.quote_end,
               case when e.quote_start is not null
                    then substring(m.text from e.quote_start + 1 for e.quote_end - e.quote_start) end as quote
        from evidence e join said m on m.id = e.message_id
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
