"""The last step of learning from a turn: make the facts written to mem0 visible as memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.conversations.sql import search_terms
from shared.conversations.sql import sensitivity_counts as withheld
from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion
from shared.kernel.events import MemoryDisputed, MemorySupported
from shared.kernel.ids import MemoryId
from shared.kernel.locks import one_at_a_time
from shared.kernel.metadata import Metadata
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn, lineage, vector_keys
from shared.lineage.sql.lineage import Derivation
from shared.lineage.sql.vector_keys import IntentsLost
from shared.memories.change import change_memory
from shared.memories.learn import ContextChanged, Evidence, LearningPlan, Quote, unchanged
from shared.memories.sql import comparable, memories, provenance
from shared.memories.sql.comparable import Comparable
from shared.memories.supersession import find_place, let_succeed
from shared.memories.write import NewMemory, begin_memory
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import leasing

ACTOR: Final = "system:learner"


class MemoriesAdded(Exception):
    """Memories were added for this person since planning; compare the facts with them too."""

    def __init__(self, unknown: Sequence[Comparable]) -> None:
        super().__init__(f"{len(unknown)} memories")
        self.memories = tuple(unknown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact about the person, stated in a turn."""

    text: str
    content_type: str
    importance: int
    taboo: bool
    origin: str
    method: str
    task_hint: str | None = None
    emotion: Emotion | None = None
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a fact relates to existing memories.

    Args:
        supersedes: an older memory it replaces.
        contradicts: an older memory it may contradict.
        superseded_by: a later memory that replaces it.
        contradicted_by: a later memory that may contradict it.
    """

    supersedes: UUID | None = None
    contradicts: UUID | None = None
    superseded_by: UUID | None = None
    contradicted_by: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFact:
    """A fact that mem0 stores under `key`, announced as the future memory `memory_id`.

    `found_by` are the digests of its words (`shared.language.terms`).
    """

    fact: Fact
    memory_id: MemoryId
    key: UUID
    found_by: Sequence[int] = ()
    comparison: Comparison = field(default_factory=Comparison)

    def as_memory(self, said_at: datetime, project_id: str | None) -> Comparable:
        """Return it as the memory it will be, for later statements to be compared with."""
        return Comparable(
            id=self.memory_id,
            text=self.fact.text,
            content_type=self.fact.content_type,
            said_at=said_at,
            taboo=self.fact.taboo,
            project_id=project_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A quote that repeats what a memory already says."""

    memory_id: UUID
    quote: Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The result of learning from a turn.

    Args:
        written: new facts, already stored in mem0.
        supports: further evidence for existing memories.
        compared: ids of all memories the facts were compared with.
        withheld: counts of withheld fragments, by message.
    """

    written: Sequence[WrittenFact] = ()
    supports: Sequence[Support] = ()
    compared: frozenset[UUID] = frozenset()
    withheld: Mapping[UUID, withheld.Outcomes] = field(default_factory=dict)


def confirm_learning(
    tx: Transaction, plan: LearningPlan, learned: Learned, evidence: Evidence, *, refused: bool = False
) -> int:
    """Make the facts stored in mem0 visible as memories and close the row; return how many were learned.

    Keys of entities stay announced until their deadline: mem0 hides a timed-out write of an entity, so only time shows
    that none can still arrive. If a message of the turn is gone, nothing is learned; the forget knows the keys.

    Args:
        refused: a write was not allowed, because a message of the turn was gone or learning was off.

    Raises:
        ContextChanged: something shown to the model is gone; the forget knows the keys.
        MemoriesAdded: the person has memories that the facts were not compared with.
        UndoPossible: a message of the turn is hidden by a forget that can still be undone.
        IntentsLost: a key was given up in the meantime, or what was refused would be allowed now.
        LeaseLost: another worker holds the row; nothing is confirmed.
    """
    one_at_a_time(tx, "learning", str(plan.subject.id))
    subject = unchanged(tx, plan, evidence)
    if subject is None:
        await_undo(tx, plan.subject.id)
    elif refused:  # the forget was undone meanwhile
        raise IntentsLost
    leasing.close(tx, plan.lease)
    if subject is None:
        return 0
    newer = comparable.created_since(tx, subject.id, plan.planned_at, project_id=plan.project_id)
    if unknown := [memory for memory in newer if memory.id not in learned.compared]:
        raise MemoriesAdded(unknown)
    known = provenance.already_learned(tx, subject, plan.message_ids)  # by a concurrent run of this turn
    # Memories whose quotes were excluded from learning since the plan.
    forbidden = do_not_learn.quoting(tx, [item.memory_id for item in learned.written])
    new = [item for item in learned.written if item.fact.text not in known and item.memory_id not in forbidden]
    for item in new:
        _remember(tx, subject, plan, item)
    for support in learned.supports:
        _support(tx, subject, support)
    vector_keys.confirm(tx, [item.key for item in new])
    search_terms.of_memories(tx, subject.id, {item.memory_id: item.found_by for item in new})
    withheld.record(tx, learned.withheld)
    return len(new)


def end_writes(tx: Transaction, keys: Sequence[UUID]) -> None:
    """End the deadline of announced keys that became no memory: no further write will arrive under them."""
    vector_keys.end_intents(tx, keys)


def _remember(tx: Transaction, subject: Subject, plan: LearningPlan, item: WrittenFact) -> None:
    fact, comparison = item.fact, item.comparison
    first = plan.turn.messages[0]
    place = find_place(
        tx,
        subject,
        said_at=first.spoken_at,
        supersedes=comparison.supersedes,
        superseded_by=comparison.superseded_by,
        actor=ACTOR,
    )
    disputed = comparison.contradicts and memories.for_change(tx, subject, comparison.contradicts)
    new = NewMemory(
        text=fact.text,
        content_type=fact.content_type,
        scope="project" if plan.project_id else "global",
        project_id=plan.project_id,
        origin=fact.origin,
        method=fact.method,
        importance=fact.importance,
        taboo=fact.taboo,
        task_hint=fact.task_hint,
        emotion=fact.emotion,
        metadata=fact.metadata,
        supersedes=place.supersedes,
        contradicts=comparison.contradicts if disputed else None,
        conversation_id=first.conversation_id,
        spoken_at=first.spoken_at,
        level="L1",
    )
    begin_memory(tx, subject, item.memory_id, new, actor=ACTOR)
    let_succeed(tx, subject, place, item.memory_id, actor=ACTOR)
    if comparison.contradicted_by is not None:
        later = memories.for_change(tx, subject, comparison.contradicted_by)
        if later is not None and later.contradicts is None:
            disputes = MemoryDisputed(contradicts=item.memory_id)
            change_memory(tx, subject, comparison.contradicted_by, later, disputes, actor=ACTOR)


def _support(tx: Transaction, subject: Subject, support: Support) -> None:
    """Add a quote to a memory's evidence, once.

    Raises:
        ContextChanged: the memory is gone, or no longer holds; the statement must be compared again.
    """
    memory = memories.for_change(tx, subject, support.memory_id)
    stored = memories.read(tx, subject.id, support.memory_id)
    if memory is None or stored is None or stored.superseded:
        raise ContextChanged
    quote = support.quote
    edge = Derivation(
        derived_kind="memory",
        derived_id=support.memory_id,
        source_kind="message",
        source_id=quote.message_id,
        edge="supported_by",
        quote_start=quote.start,
        quote_end=quote.end,
    )
    if lineage.add(tx, subject, [edge]):
        supported = MemorySupported(message_id=quote.message_id)
        change_memory(tx, subject, support.memory_id, memory, supported, actor=ACTOR)
