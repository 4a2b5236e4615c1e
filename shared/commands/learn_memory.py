"""Learn long-term memories from a turn: look, announce, (write through mem0,) confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.commands.await_undo import await_undo
from shared.commands.change_memory import change_memory
from shared.commands.place_unit import find_place, let_succeed
from shared.domain.events import MemoryDisputed, MemoryLearned, MemorySupported
from shared.domain.ids import MemoryId
from shared.domain.memories import fold
from shared.domain.switches import Switches
from shared.persistence import (
    conversations,
    events,
    lineage,
    memories,
    messages,
    outbox,
    subjects,
    switches,
    turns,
    units,
    vectors,
    withheld,
)
from shared.persistence.database import Transaction
from shared.persistence.lineage import Derivation
from shared.persistence.locks import enter_fence, one_at_a_time
from shared.persistence.messages import Message
from shared.persistence.outbox import Lease
from shared.persistence.subjects import Subject
from shared.persistence.turns import Turn
from shared.persistence.units import Unit
from shared.persistence.vectors import Intent

ACTOR: Final = "system:learner"


class SwitchedOff(Exception):
    """Long-term memory is off, but what is to be learned again was there before: it waits until it is on."""


class ContextChanged(Exception):
    """Something shown while deriving was forgotten meanwhile; the turn stands and is learned from again without it."""


class UnitsUnknown(Exception):
    """Others learned about the same person meanwhile: what was found must be compared with these units too."""

    def __init__(self, unknown: Sequence[Unit]) -> None:
        super().__init__(f"{len(unknown)} units")
        self.units = tuple(unknown)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan:
    """A turn to learn from, with what is known or forbidden already.

    `context` is what was said before, for a language model; rules look at the turn alone. `recent` are the units of the
    last moments, which a search may not find yet.
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
    """What a finding rests on: quotes, and what was only shown to the model that found it."""

    quotes: tuple[Quote, ...]
    shown_messages: tuple[UUID, ...] = ()
    shown_memories: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a turn says about the person."""

    text: str
    content_type: str
    importance: int
    taboo: bool
    origin: str
    method: str
    task_hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """What a finding means for units that are remembered already.

    Args:
        supersedes: the older unit it replaces.
        contradicts: an older unit it may contradict.
        superseded_by: a unit said later that replaces it.
        contradicted_by: a unit said later that may contradict it.
    """

    supersedes: UUID | None = None
    contradicts: UUID | None = None
    superseded_by: UUID | None = None
    contradicted_by: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A finding that mem0 holds under `key`, announced as the future memory `memory_id`."""

    finding: Finding
    memory_id: MemoryId
    key: UUID
    stance: Stance = field(default_factory=Stance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A quote that says what a unit says already."""

    memory_id: UUID
    quote: Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """All that a turn taught.

    Args:
        written: new units, in mem0 already.
        supports: more evidence for units there are.
        compared: every unit the findings were compared with.
        withheld: what was kept out of them, by message.
    """

    written: Sequence[Written] = ()
    supports: Sequence[Support] = ()
    compared: frozenset[UUID] = frozenset()
    withheld: Mapping[UUID, withheld.Outcomes] = field(default_factory=dict)


def plan_learning(tx: Transaction, lease: Lease, *, defaults: Switches, context: int) -> LearningPlan | None:
    """Decide whether a turn may be learned from; None, and the row closed, when it may not.

    Args:
        context: how many earlier messages to show a language model, 0 for none.

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
    if memories.undoable_spans(tx, message_ids):
        await_undo(tx, subject.id)
    if not switches.current(tx, subject.id, defaults=defaults).longterm_enabled:
        if lease.payload.get("again"):
            raise SwitchedOff
        outbox.close(tx, lease)
        return None
    first = turn.messages[0]
    project_id = conversations.project_of(tx, first.conversation_id)
    earlier = turns.learnable_before(tx, first.conversation_id, before_seq=first.seq, limit=context) if context else ()
    return LearningPlan(
        lease=lease,
        subject=subject,
        turn=turn,
        context=tuple(earlier),
        project_id=project_id,
        known_texts=frozenset(memories.already_learned(tx, subject, message_ids)),
        planned_at=tx.now(),
        recent=tuple(units.created_since(tx, subject.id, tx.now(), project_id=project_id)),
        unlearnable=memories.unlearnable_spans(tx, message_ids),
    )


def _is_remembered(tx: Transaction, lease: Lease, turn: Turn) -> bool:
    """Whether its conversation is (X-08); what was there before is learned again even where nothing new may be."""
    return bool(lease.payload.get("again")) or conversations.remembers(tx, turn.messages[0].conversation_id)


def units_behind(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> list[Unit]:
    """Return, of these keys, the units a finding of this turn may repeat, replace or contradict."""
    ids = [item_id for _, item_id in vectors.visible(tx, keys).values()]
    return units.comparable(tx, plan.subject.id, ids, project_id=plan.project_id)


def keys_to_show(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> set[UUID]:
    """Return, of these keys, the memories a model may be shown while learning: those the assistant would see there."""
    visible = vectors.visible(tx, keys)
    usable = memories.the_assistant_would_see(
        tx,
        plan.subject.id,
        ids=[item_id for _, item_id in visible.values()],
        project_id=plan.project_id,
        limit=len(visible),
    )
    ids = {memory.id for memory in usable}
    return {key for key, (_, item_id) in visible.items() if item_id in ids}


def items_shown(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> list[UUID] | None:
    """Return the memories behind the keys a prompt is about to show, just before it leaves.

    Returns None when the turn is gone: no prompt may leave.

    Raises:
        ContextChanged: something else the prompt shows is gone.
    """
    if _unchanged(tx, plan) is None:
        return None
    visible = vectors.visible(tx, keys)
    if len(visible) != len(set(keys)) or not messages.are_visible(tx, [m.id for m in plan.context]):
        raise ContextChanged
    return [item_id for _, item_id in visible.values()]


def announce_memories(
    tx: Transaction, plan: LearningPlan, keys: Sequence[tuple[UUID, MemoryId]], evidence: Evidence
) -> bool:
    """Commit the intents before mem0 writes, with everything their wording may come from.

    Returns False when a message of the turn is gone and nothing may be written.

    Raises:
        ContextChanged: something shown is gone.
    """
    subject = _unchanged(tx, plan, evidence)
    if subject is None:
        return False
    lineage.add(tx, subject, [edge for _, memory_id in keys for edge in _edges(memory_id, evidence)])
    intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, memory_id in keys]
    vectors.announce(tx, subject, "mem0", intents, step_id=plan.lease.id)
    return True


def announce_entities(tx: Transaction, plan: LearningPlan, keys: Sequence[UUID]) -> bool:
    """Commit the intents of mem0's entity rows; they belong to the namespace, not to one memory."""
    subject = _unchanged(tx, plan)
    if subject is None:
        return False
    intents = [Intent(pk=key, item_kind="entity", item_id=key) for key in keys]
    vectors.announce(tx, subject, "mem0_entities", intents, step_id=plan.lease.id)
    return True


def confirm_learning(tx: Transaction, plan: LearningPlan, learned: Learned, evidence: Evidence) -> int:
    """Make what mem0 holds visible as memories and close the row; returns how many were learned.

    Entities stay announced until their deadline: mem0 swallows a write of theirs that timed out, so only time
    tells that none can still arrive.

    Nothing is when a message of the turn vanished: the keys are known to the forget that took it.

    Raises:
        ContextChanged: something shown is gone; the keys are known to the forget that took it.
        UnitsUnknown: the person has units the findings were not compared with.
        UndoPossible: a message of the turn is hidden by a forget that may still be undone.
        IntentsLost: a key was given up meanwhile.
        LeaseLost: the row is someone else's by now; nothing is confirmed.
    """
    one_at_a_time(tx, "learning", str(plan.subject.id))
    subject = _unchanged(tx, plan, evidence)
    if subject is None:
        await_undo(tx, plan.subject.id)
    outbox.close(tx, plan.lease)
    if subject is None:
        return 0
    newer = units.created_since(tx, subject.id, plan.planned_at, project_id=plan.project_id)
    if unknown := [unit for unit in newer if unit.id not in learned.compared]:
        raise UnitsUnknown(unknown)
    known = memories.already_learned(tx, subject, plan.message_ids)  # by another run of this turn meanwhile
    forbidden = memories.forbidden(tx, [item.memory_id for item in learned.written])  # deleted since it was looked at
    new = [item for item in learned.written if item.finding.text not in known and item.memory_id not in forbidden]
    for item in new:
        _remember(tx, subject, plan, item)
    for support in learned.supports:
        _support(tx, subject, support)
    vectors.confirm(tx, [item.key for item in new])
    withheld.record(tx, learned.withheld)
    return len(new)


def end_writes(tx: Transaction, keys: Sequence[UUID]) -> None:
    """Say that nothing more will arrive under announced keys that became no memory."""
    vectors.end_intents(tx, keys)


def _remember(tx: Transaction, subject: Subject, plan: LearningPlan, item: Written) -> None:
    finding, stance = item.finding, item.stance
    first = plan.turn.messages[0]
    place = find_place(
        tx,
        subject,
        said_at=first.spoken_at,
        supersedes=stance.supersedes,
        superseded_by=stance.superseded_by,
        actor=ACTOR,
    )
    disputed = stance.contradicts and memories.for_change(tx, subject, stance.contradicts)
    learned = MemoryLearned(
        content_type=finding.content_type,
        scope="project" if plan.project_id else "global",
        project_id=plan.project_id,
        origin=finding.origin,
        importance=finding.importance,
        taboo=finding.taboo,
        supersedes=place.supersedes,
        contradicts=stance.contradicts if disputed else None,
        conversation_id=first.conversation_id,
        spoken_at=first.spoken_at,
        method=finding.method,
    )
    events.append(tx, subject, item.memory_id, [learned], actor=ACTOR)
    memory = fold([(learned, tx.now())])
    assert memory is not None  # noqa: S101 # it was just learned
    memories.save(tx, subject.id, subject.generation, item.memory_id, memory)
    hints = [message.task_hint for message in plan.turn.messages if message.task_hint]
    hint = hints[0] if hints else finding.task_hint
    memories.add_content(tx, item.memory_id, text=finding.text, task_hint=hint)
    let_succeed(tx, subject, place, item.memory_id, actor=ACTOR)
    if stance.contradicted_by is not None:
        later = memories.for_change(tx, subject, stance.contradicted_by)
        if later is not None and later.contradicts is None:
            disputes = MemoryDisputed(contradicts=item.memory_id)
            change_memory(tx, subject, stance.contradicted_by, later, disputes, actor=ACTOR)


def _support(tx: Transaction, subject: Subject, support: Support) -> None:
    """Add a quote to a unit's evidence, once.

    Raises:
        ContextChanged: the unit is gone; what was said must be learned as something new.
    """
    unit = memories.for_change(tx, subject, support.memory_id)
    if unit is None:
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
        change_memory(tx, subject, support.memory_id, unit, supported, actor=ACTOR)


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
        *(edge("memory", shown) for shown in evidence.shown_memories),
    ]


def _unchanged(tx: Transaction, plan: LearningPlan, evidence: Evidence | None = None) -> Subject | None:
    """Enter the fence; return the person as they are now if the turn still stands."""
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace or not turns.sources(tx, plan.message_ids):
        return None
    if evidence is not None and not (
        messages.are_visible(tx, evidence.shown_messages) and memories.are_visible(tx, evidence.shown_memories)
    ):
        raise ContextChanged
    return subject
