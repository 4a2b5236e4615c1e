"""Learn long-term memories from a turn: look, announce; mem0 writes, `confirm_learning` ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.conversations.sql import conversations, messages, tasks, turns
from shared.conversations.sql.messages import Message
from shared.conversations.sql.tasks import NamedTask
from shared.conversations.sql.turns import Turn
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.ids import MemoryId
from shared.kernel.locks import enter_fence
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn as unlearnable
from shared.lineage.sql import lineage, vector_keys
from shared.lineage.sql.lineage import Derivation
from shared.lineage.sql.vector_keys import Intent
from shared.memories.sql import comparable, memories, provenance
from shared.memories.sql.comparable import Unit
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Lease
from shared.switches import sql as switches
from shared.switches.rules import Switches

ACTOR: Final = "system:learner"


class SwitchedOff(Exception):
    """Long-term memory is off, but what is to be learned again was there before: it waits until it is on."""


class ContextChanged(Exception):
    """Something shown while deriving was forgotten meanwhile; the turn stands and is learned from again without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan:
    """A turn to learn from, with what is known or forbidden already.

    `context` is what was said before, oldest first. `recent` are the units of the
    last moments, which a search may not find yet. `task` is the one the turn belongs to (LT-06). `private`: nothing
    that identifies anybody is learned (CN-02).
    """

    lease: Lease
    subject: Subject
    turn: Turn
    context: tuple[Message, ...]
    project_id: str | None
    known_texts: frozenset[str]
    planned_at: datetime
    recent: tuple[Unit, ...]
    unlearnable: dict[UUID, list[tuple[int, int]]]
    task: NamedTask | None = None
    private: bool = False

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
class Evidence:
    """What a finding rests on: quotes, and messages its wording may come from besides."""

    quotes: tuple[Quote, ...]
    shown_messages: tuple[UUID, ...] = ()


def plan_learning(tx: Transaction, lease: Lease, *, defaults: Switches, context: int) -> LearningPlan | None:
    """Decide whether a turn may be learned from; None, and the row closed, when it may not.

    Args:
        context: how many earlier messages may be read beside it.

    Raises:
        SwitchedOff: it may once the person turns long-term memory on again.
        UndoPossible: a message is hidden, or a quote forbidden, by a forget that may still be undone.
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    message_ids = [UUID(value) for value in lease.payload["message_ids"]]
    turn = turns.sources(tx, message_ids)
    if turn is None:
        await_undo(tx, lease.subject_id)
    if subject is None or turn is None or not (turn.learn and _is_remembered(tx, lease, turn)):
        outbox.close(tx, lease)
        return None
    if unlearnable.are_undoable(tx, message_ids):
        await_undo(tx, subject.id)
    allowed = switches.current(tx, subject.id, defaults=defaults)
    if not allowed.longterm_enabled:
        if lease.payload.get("again"):
            raise SwitchedOff
        outbox.close(tx, lease)
        return None
    first = turn.messages[0]
    project_id = conversations.project_of(tx, first.conversation_id)
    earlier = turns.learnable_before(tx, first.conversation_id, before_seq=first.seq, limit=context)
    return LearningPlan(
        lease=lease,
        subject=subject,
        turn=turn,
        context=tuple(earlier),
        project_id=project_id,
        known_texts=frozenset(provenance.already_learned(tx, subject, message_ids)),
        planned_at=tx.now(),
        recent=tuple(comparable.created_since(tx, subject.id, tx.now(), project_id=project_id)),
        unlearnable=unlearnable.spans(tx, [*message_ids, *(message.id for message in earlier)]),
        task=tasks.of_turn(tx, first.conversation_id, session=first.session, through=turn.messages[-1].seq),
        private=allowed.privacy_mode_enabled,
    )


def _is_remembered(tx: Transaction, lease: Lease, turn: Turn) -> bool:
    """Whether its conversation is (X-08); what was there before is learned again even where nothing new may be."""
    return bool(lease.payload.get("again")) or conversations.remembers(tx, turn.messages[0].conversation_id)


def units_behind(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> list[Unit]:
    """Return, of these keys, the units a finding of this turn may repeat, replace or contradict."""
    ids = [item_id for _, item_id in vector_keys.visible(tx, keys).values()]
    return comparable.comparable(tx, plan.subject.id, ids, project_id=plan.project_id)


def may_be_shown(tx: Transaction, plan: LearningPlan, memory_ids: Sequence[UUID]) -> set[UUID] | None:
    """Return which of these memories a language model may be shown now: those the assistant would see there.

    Returns None when the turn is gone: no prompt may leave.

    Raises:
        ContextChanged: something said before the turn is gone.
    """
    if unchanged(tx, plan) is None:
        return None
    if not messages.are_visible(tx, [message.id for message in plan.context]):
        raise ContextChanged
    usable = memories.the_assistant_would_see(
        tx, plan.subject.id, ids=list(memory_ids), project_id=plan.project_id, limit=len(memory_ids)
    )
    return {memory.id for memory in usable}


def announce_memories(
    tx: Transaction, plan: LearningPlan, keys: Sequence[tuple[UUID, MemoryId]], evidence: Evidence
) -> bool:
    """Commit the intents before mem0 writes, with everything their wording may come from.

    Returns False when a message of the turn is gone and nothing may be written.

    Raises:
        ContextChanged: something shown is gone.
    """
    subject = unchanged(tx, plan, evidence)
    if subject is None:
        return False
    lineage.add(tx, subject, [edge for _, memory_id in keys for edge in _edges(memory_id, evidence)])
    intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, memory_id in keys]
    vector_keys.announce(tx, subject, "mem0", intents, step_id=plan.lease.id)
    return True


def announce_entities(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> bool:
    """Commit the intents of mem0's entity rows; they belong to the namespace, not to one memory."""
    subject = unchanged(tx, plan)
    if subject is None:
        return False
    intents = [Intent(pk=key, item_kind="entity", item_id=key) for key in keys]
    vector_keys.announce(tx, subject, "mem0_entities", intents, step_id=plan.lease.id)
    return True


def _edges(memory_id: MemoryId, evidence: Evidence) -> list[Derivation]:
    def edge(kind: str, source_id: UUID, quote: Quote | None = None) -> Derivation:
        return Derivation(
            derived_kind="memory",
            derived_id=memory_id,
            source_kind=kind,
            source_id=source_id,
            quote_start=quote.start if quote else None,
            quote_end=quote.end if quote else None,
            context=quote is None,
        )

    return [
        *(edge("message", quote.message_id, quote) for quote in evidence.quotes),
        *(edge("message", message_id) for message_id in evidence.shown_messages),
    ]


def unchanged(tx: Transaction, plan: LearningPlan, evidence: Evidence | None = None) -> Subject | None:
    """Enter the fence; return the person as they are now if the turn still stands.

    Raises:
        ContextChanged: it does, but something that was shown is gone.
    """
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace or not turns.sources(tx, plan.message_ids):
        return None
    if evidence is not None and not messages.are_visible(tx, evidence.shown_messages):
        raise ContextChanged
    return subject
