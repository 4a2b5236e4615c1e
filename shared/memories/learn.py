"""Learn long-term memories from a turn: plan and announce; mem0 writes, `confirm_learning` finishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.consent.allows import SwitchedOff, effective
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents
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
from shared.memories.sql.comparable import Comparable
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease

ACTOR: Final = "system:learner"


class ContextChanged(Exception):
    """What was shown to the model was forgotten, or privacy mode is on since: the turn is learned from again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan:
    """A turn to learn from, with what is already known or excluded.

    Args:
        context: earlier messages, oldest first.
        recent: the newest memories, with and without a vector.
        task: the task the turn belongs to (LT-06).
        private: nothing that identifies a person is learned (CN-02).
        infers_traits: whether the person's switches allow inferring traits.
        terms: what is allowed by default, and what a consent covers.
        withdrawal: the last one of the consent that covers memories, when this was planned.
    """

    lease: Lease
    subject: Subject
    turn: Turn
    context: tuple[Message, ...]
    project_id: str | None
    known_texts: frozenset[str]
    planned_at: datetime
    recent: tuple[Comparable, ...]
    unlearnable: dict[UUID, list[tuple[int, int]]]
    terms: Terms
    withdrawal: UUID | None
    task: NamedTask | None = None
    private: bool = False
    infers_traits: bool = False

    @property
    def again(self) -> bool:
        """Whether the turn was learned from before a forget."""
        return bool(self.lease.payload.get("again"))

    @property
    def follows(self) -> bool:
        """Whether nothing was said between `context` and the turn, forgotten or not to be learned from."""
        return not self.context or self.context[-1].seq == self.turn.messages[0].seq - 1

    @property
    def message_ids(self) -> tuple[UUID, ...]:
        return tuple(message.id for message in self.turn.messages)

    def allows(self, message_id: UUID, start: int, end: int) -> bool:
        """Return whether a quote avoids every span excluded from learning."""
        return all(end <= first or start >= last for first, last in self.unlearnable.get(message_id, []))


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A message as evidence, with half-open character offsets; None for the whole message."""

    message_id: UUID
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The sources of a fact: quotes, and other messages that may have influenced its wording."""

    quotes: tuple[Quote, ...]
    shown_messages: tuple[UUID, ...] = ()


def plan_learning(tx: Transaction, lease: Lease, *, terms: Terms, context: int) -> LearningPlan | None:
    """Decide whether a turn may be learned from. If not, close the row and return None.

    Args:
        context: maximum number of earlier messages to read as context.

    Raises:
        SwitchedOff: it must wait until the person turns long-term memory on.
        UndoPossible: a message is hidden, or a quote excluded, by a forget that can still be undone.
        LeaseLost: another worker holds the row.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    message_ids = [UUID(value) for value in lease.payload["message_ids"]]
    turn = turns.sources(tx, message_ids)
    if turn is None:
        await_undo(tx, lease.subject_id)
    if subject is None or turn is None or not (turn.learn and _is_remembered(tx, lease, turn)):
        leasing.close(tx, lease)
        return None
    if unlearnable.are_undoable(tx, message_ids):
        await_undo(tx, subject.id)
    allowed = effective(tx, subject.id, terms=terms)
    if not allowed.longterm_enabled:
        if lease.payload.get("again"):
            raise SwitchedOff
        leasing.close(tx, lease)
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
        terms=terms,
        withdrawal=_withdrawal(tx, subject.id, terms),
        task=_task_of(tx, turn),
        private=allowed.privacy_mode_enabled,
        infers_traits=allowed.infers_traits,
    )


def _is_remembered(tx: Transaction, lease: Lease, turn: Turn) -> bool:
    """Return whether the conversation is remembered (X-08), or the turn is learned again after a forget."""
    return bool(lease.payload.get("again")) or conversations.remembers(tx, turn.messages[0].conversation_id)


def may_be_shown(tx: Transaction, plan: LearningPlan, memory_ids: Sequence[UUID]) -> set[UUID] | None:
    """Return which of these memories may be shown to a language model: those the assistant could receive here.

    Returns None if the turn is gone; then no prompt may be sent.

    Raises:
        ContextChanged: an earlier message used as context is gone.
    """
    if unchanged(tx, plan) is None:
        return None
    if not messages.are_as_read(tx, {message.id: message.text for message in plan.context}):
        raise ContextChanged
    usable = memories.the_assistant_would_see(
        tx, plan.subject.id, ids=list(memory_ids), project_id=plan.project_id, limit=len(memory_ids)
    )
    return {memory.id for memory in usable}


def announce_memories(
    tx: Transaction,
    plan: LearningPlan,
    keys: Sequence[tuple[UUID, MemoryId]],
    evidence: Evidence,
    *,
    before: Sequence[UUID] = (),
) -> bool:
    """Commit intents and lineage before mem0 writes.

    Returns False if a message of the turn is gone; then nothing may be written.

    Args:
        before: the keys already announced for this turn. All are confirmed together, so they get more time, too.

    Raises:
        ContextChanged: something shown to the model is gone.
    """
    subject = unchanged(tx, plan, evidence)
    if subject is None:
        return False
    lineage.add(tx, subject, [edge for _, memory_id in keys for edge in _edges(memory_id, evidence)])
    intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, memory_id in keys]
    vector_keys.announce(tx, subject, "mem0", intents, step_id=plan.lease.id)
    vector_keys.prolong(tx, before)
    return True


def announce_entities(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> bool:
    """Commit the intents of mem0's entity rows, which belong to the namespace and not to one memory."""
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
    """Acquire the fence; return the person's current state if the turn may still be learned from, else None.

    It may while all its messages are as they were, the conversation is remembered, and memories are neither switched
    off nor withdrawn from.

    Raises:
        ContextChanged: it may, but something shown to the model is gone, or privacy mode was switched on.
        SwitchedOff: as `plan_learning`.
    """
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace or not turns.as_read(tx, plan.turn):
        return None
    if not _is_remembered(tx, plan.lease, plan.turn):
        return None
    allowed = effective(tx, subject.id, terms=plan.terms)
    if not allowed.longterm_enabled:  # switched off, or withdrawn, since
        if plan.lease.payload.get("again"):
            raise SwitchedOff
        return None
    if _withdrawal(tx, subject.id, plan.terms) != plan.withdrawal:  # and granted again: that brings nothing back
        return None
    if allowed.privacy_mode_enabled and not plan.private:
        raise ContextChanged
    if evidence is not None and not _are_as_read(tx, plan, evidence.shown_messages):
        raise ContextChanged
    return subject


def _are_as_read(tx: Transaction, plan: LearningPlan, shown: Sequence[UUID]) -> bool:
    """Return whether earlier messages that a fact depends on are as they were; of the task's, what it names."""
    if plan.task is not None and plan.task.message_id in shown and _task_of(tx, plan.turn) != plan.task:
        return False
    return messages.are_as_read(tx, {one.id: one.text for one in plan.context if one.id in shown})


def _task_of(tx: Transaction, turn: Turn) -> NamedTask | None:
    first = turn.messages[0]
    return tasks.of_turn(tx, first.conversation_id, session=first.session, through=turn.messages[-1].seq)


def _withdrawal(tx: Transaction, subject_id: UUID, terms: Terms) -> UUID | None:
    return consents.last_withdrawal(tx, subject_id, "save_to_profile") if terms.consent.covers_memories else None
