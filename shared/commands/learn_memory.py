"""Learn long-term memories from a turn: look, announce, (write through mem0,) confirm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from shared.domain.events import MemoryLearned
from shared.domain.ids import MemoryId
from shared.domain.memories import fold
from shared.domain.switches import Switches
from shared.persistence import conversations, events, lineage, memories, messages, outbox, subjects, switches, vectors
from shared.persistence.database import Transaction
from shared.persistence.lineage import Derivation
from shared.persistence.locks import enter_fence
from shared.persistence.messages import Message, Turn
from shared.persistence.outbox import Lease
from shared.persistence.subjects import Subject
from shared.persistence.vectors import Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan:
    """A turn to learn from, with what is known or forbidden already."""

    lease: Lease
    subject: Subject
    turn: Turn
    project_id: str | None
    known_texts: frozenset[str]
    unlearnable: dict[UUID, list[tuple[int, int]]]

    @property
    def message_ids(self) -> tuple[UUID, ...]:
        return tuple(message.id for message in self.turn.messages)

    def allows(self, message_id: UUID, start: int, end: int) -> bool:
        """Whether a quote avoids every span its person asked never to be learned from."""
        return all(end <= first or start >= last for first, last in self.unlearnable.get(message_id, []))


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A message as evidence: half-open character offsets, None where it is the whole message."""

    message_id: UUID
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a turn says about the person, with its evidence."""

    text: str
    content_type: str
    importance: int
    taboo: bool
    origin: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A finding that mem0 holds under `key`, announced as the future memory `memory_id`."""

    finding: Finding
    memory_id: MemoryId
    key: UUID


def plan_learning(tx: Transaction, lease: Lease, *, defaults: Switches) -> LearningPlan | None:
    """Decide whether a turn may be learned from; None, and the row closed, when it may not.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    message_ids = [UUID(value) for value in lease.payload["message_ids"]]
    turn = messages.sources(tx, message_ids)
    allowed = (
        turn is not None and turn.learn and switches.current(tx, lease.subject_id, defaults=defaults).longterm_enabled
    )
    if not allowed or subject is None or turn is None:
        outbox.close(tx, lease)
        return None
    conversation = conversations.read(tx, subject.id, turn.messages[0].conversation_id)
    return LearningPlan(
        lease=lease,
        subject=subject,
        turn=turn,
        project_id=conversation.project_id if conversation else None,
        known_texts=frozenset(memories.already_learned(tx, subject, message_ids)),
        unlearnable=memories.unlearnable_spans(tx, message_ids),
    )


def recent_messages(tx: Transaction, plan: LearningPlan, *, limit: int) -> Sequence[Message]:
    """Return what was visibly said before the turn, for a language model's context."""
    first = plan.turn.messages[0]
    return messages.window(tx, first.conversation_id, limit=limit, before_seq=first.seq, completed_only=True)


def announce_memories(
    tx: Transaction, plan: LearningPlan, keys: Sequence[tuple[UUID, MemoryId]], quotes: Sequence[Quote]
) -> bool:
    """Commit the intents before mem0 writes, with the messages that are their evidence.

    Returns False when a message of the turn is gone and nothing may be written.
    """
    subject = _subject_if_unchanged(tx, plan)
    if subject is None:
        return False
    edges = [
        Derivation(
            derived_kind="memory",
            derived_id=memory_id,
            source_kind="message",
            source_id=quote.message_id,
            quote_start=quote.start,
            quote_end=quote.end,
        )
        for _, memory_id in keys
        for quote in quotes
    ]
    lineage.add(tx, subject, edges)
    intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, memory_id in keys]
    vectors.announce(tx, subject, "mem0", intents, step_id=plan.lease.id)
    return True


def announce_entities(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> bool:
    """Commit the intents of mem0's entity rows; they belong to the namespace, not to one memory."""
    subject = _subject_if_unchanged(tx, plan)
    if subject is None:
        return False
    intents = [Intent(pk=key, item_kind="entity", item_id=key) for key in keys]
    vectors.announce(tx, subject, "mem0_entities", intents, step_id=plan.lease.id)
    return True


def confirm_learning(
    tx: Transaction,
    plan: LearningPlan,
    written: Sequence[Written],
    *,
    announced: Sequence[UUID],
    entities: Sequence[UUID] = (),
) -> int:
    """Make what mem0 holds visible as memories and close the row; returns how many were learned.

    Nothing is when a source vanished meanwhile: the keys are known to the forget that took it. Every
    announced key whose write is over by now and that became no memory stops being waited for.

    Raises:
        LeaseLost: the row is someone else's by now; nothing is confirmed.
    """
    subject = _subject_if_unchanged(tx, plan)
    outbox.close(tx, plan.lease)
    learned = written if subject is not None else []
    for item in learned:
        _remember(tx, cast("Subject", subject), plan, item)
    vectors.confirm(tx, [*(item.key for item in learned), *entities])
    vectors.end_intents(tx, announced)
    return len(learned)


def _remember(tx: Transaction, subject: Subject, plan: LearningPlan, item: Written) -> None:
    finding = item.finding
    first = plan.turn.messages[0]
    learned = MemoryLearned(
        content_type=finding.content_type,
        scope="project" if plan.project_id else "global",
        project_id=plan.project_id,
        origin=finding.origin,
        importance=finding.importance,
        taboo=finding.taboo,
        supersedes=None,
        conversation_id=first.conversation_id,
        spoken_at=first.spoken_at,
    )
    events.append(tx, subject, item.memory_id, [learned], actor="system:learner")
    memory = fold([(learned, tx.now())])
    assert memory is not None  # noqa: S101 # it was just learned
    memories.save(tx, subject.id, subject.generation, item.memory_id, memory)
    hints = [message.task_hint for message in plan.turn.messages if message.task_hint]
    memories.add_content(tx, item.memory_id, text=finding.text, task_hint=hints[0] if hints else None)


def _subject_if_unchanged(tx: Transaction, plan: LearningPlan) -> Subject | None:
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace:
        return None
    return subject if messages.sources(tx, plan.message_ids) else None
