"""Write a memory with given wording, from a person, feedback or an import; mem0 is updated later (MC-05, CN-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.consent.allows import allows
from shared.consent.rules.policy import Terms
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion
from shared.kernel.errors import ExternalIdTaken, LongTermOff
from shared.kernel.events import MemoryConfirmed, MemoryDisabled, MemoryLearned
from shared.kernel.ids import MemoryId
from shared.kernel.metadata import Metadata
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation, Edge
from shared.memories.lock_learning import lock_learning
from shared.memories.rules.memories import MemoryEvent, fold
from shared.memories.sql import contents, memories
from shared.memories.sql.contents import Content
from shared.outbox.job_kinds import MEMORY_INDEX
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Work

PART: Final = "document"
"""The method of a memory that is a part of an uploaded document (TR-12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """A source of a memory: an item by kind and id; the quote is half-open character offsets in a message.

    With `text_from` the wording may contain the source, so the memory is erased with it; with `supported_by` it stays.
    `context`: it was only shown to a model.
    """

    kind: str
    id: UUID
    edge: Edge = "text_from"
    quote_start: int | None = None
    quote_end: int | None = None
    context: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory to create.

    Args:
        content_type: `[a-z_]{1,40}`; unknown types are allowed (CN-01).
        scope: `global`, or `project` with its `project_id`.
        origin: `extracted`, `stated`, `learned` or `imported`.
        importance: 1…10 (LT-01).
        method: how it was created: `rules`, `model:<name>`, `person`, `feedback`, `import`, `document`.
        metadata, external_id: what another program keeps with it, and calls it.
        supersedes: the older memory it replaces (LT-03).
        contradicts: an older memory it may contradict; both remain until the person decides.
        conversation_id: where it was said.
        spoken_at: when it was said; default: now.
        sources: its sources, all visible to the person.
        level: `L1` if it was learned from a conversation and is not consolidated yet (LT-04).
        confirmed, disabled: its initial state.
    """

    text: str
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    method: str
    importance: int = 5
    taboo: bool = False
    task_hint: str | None = None
    emotion: Emotion | None = None
    metadata: Metadata | None = None
    external_id: str | None = None
    supersedes: UUID | None = None
    contradicts: UUID | None = None
    conversation_id: UUID | None = None
    spoken_at: datetime | None = None
    sources: tuple[MemorySource, ...] = ()
    confirmed: bool = False
    disabled: bool = False
    level: str = "L2"


def write_memory(
    tx: Transaction, subject: Subject, new: NewMemory, *, actor: str, memory_id: MemoryId | None = None
) -> MemoryId:
    """Create a memory that is visible at once, and queue its copy in mem0; return its id.

    Callers that decide on existing memories (`supersedes`) must take `lock_learning` before reading them.

    Args:
        memory_id: its id; default: a new one.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    subject = lock_learning(tx, subject)
    memory_id = memory_id or MemoryId(new_id())
    begin_memory(tx, subject, memory_id, new, actor=actor)
    work = Work(kind=MEMORY_INDEX, payload={"memory_id": str(memory_id)}, dedupe_key=str(memory_id))
    outbox.add(tx, subject.id, [work])
    return memory_id


def write_by_hand(tx: Transaction, subject: Subject, new: NewMemory, *, terms: Terms, actor: str) -> MemoryId:
    """Write a memory that the person requested.

    Raises:
        LongTermOff: long-term memory is off, so nothing is written, not even manually (MC-06).
        ExternalIdTaken: another memory in force has its external id.
        SubjectBusy: as `write_memory`.
    """
    subject = lock_learning(tx, subject)
    if not allows(tx, subject.id, "remember", terms=terms):
        raise LongTermOff
    if new.external_id is not None and is_taken(tx, subject, new.external_id, besides=new.supersedes):
        raise ExternalIdTaken
    return write_memory(tx, subject, new, actor=actor)


def is_taken(tx: Transaction, subject: Subject, external_id: str, *, besides: UUID | None) -> bool:
    """Return whether a memory in force, other than one, has an external id; call it under `lock_learning`."""
    return contents.called(tx, subject.id, external_id) not in (None, besides)


def begin_memory(tx: Transaction, subject: Subject, memory_id: MemoryId, new: NewMemory, *, actor: str) -> None:
    """Create a memory under the fence: its events, row, content and lineage."""
    begin_memories(tx, subject, {memory_id: new}, actor=actor)


def begin_memories(tx: Transaction, subject: Subject, new: Mapping[UUID, NewMemory], *, actor: str) -> None:
    """Create memories under the fence: their events, rows, contents and lineage."""
    now = tx.now()
    happened = {one: _beginning(memory, spoken_at=memory.spoken_at or now) for one, memory in new.items()}
    event_log.append_all(tx, subject, happened, actor=actor)
    begun = {one: fold([(event, now) for event in events]) for one, events in happened.items()}
    memories.save_all(tx, subject.id, subject.generation, {one: memory for one, memory in begun.items() if memory})
    contents.add_contents(tx, subject.id, {one: _content(memory) for one, memory in new.items()})
    lineage.add(tx, subject, [_edge(one, source) for one, memory in new.items() for source in memory.sources])


def _beginning(new: NewMemory, *, spoken_at: datetime) -> list[MemoryEvent]:
    learned = MemoryLearned(
        content_type=new.content_type,
        scope=new.scope,
        project_id=new.project_id,
        origin=new.origin,
        importance=new.importance,
        taboo=new.taboo,
        supersedes=new.supersedes,
        contradicts=new.contradicts,
        conversation_id=new.conversation_id,
        spoken_at=spoken_at,
        method=new.method,
        level=new.level,
    )
    more: list[MemoryEvent] = [MemoryConfirmed()] if new.confirmed else []
    return [learned, *more, *([MemoryDisabled()] if new.disabled else [])]


def _content(new: NewMemory) -> Content:
    return Content(
        text=new.text,
        task_hint=new.task_hint,
        emotion=new.emotion,
        metadata=new.metadata or None,
        external_id=new.external_id,
    )


def _edge(memory_id: UUID, source: MemorySource) -> Derivation:
    return Derivation(
        derived_kind="memory",
        derived_id=memory_id,
        source_kind=source.kind,
        source_id=source.id,
        edge=source.edge,
        quote_start=source.quote_start,
        quote_end=source.quote_end,
        context=source.context,
    )
