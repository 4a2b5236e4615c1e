"""Turns become long-term memories, written through mem0 and confirmed in PostgreSQL (MC-05)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from shared.commands.learn_memory import (
    Finding,
    LearningPlan,
    Quote,
    Written,
    announce_entities,
    announce_memories,
    confirm_learning,
    plan_learning,
    recent_messages,
)
from shared.domain.ids import MemoryId
from shared.models.extraction import Candidate, Utterance
from shared.persistence.ids import new_id
from shared.persistence.messages import Message
from shared.persistence.outbox import Lease
from shared.stores.port import FenceLost
from workers.celery_app import app
from workers.process import leased_work, process

CONTEXT_MESSAGES = 10
"""How many earlier messages a language model may see while extracting, as mem0 does."""


@app.task(name="learner.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Learn from the turns these outbox rows name; ids that are taken or done are passed over."""
    leased_work().run(outbox_ids, learn)


def learn(leases: list[Lease]) -> None:
    for lease in leases:
        leased_work().attempt([lease], lambda lease=lease: learn_from_turn(lease))  # type: ignore[misc]


def learn_from_turn(lease: Lease) -> None:
    """Extract, announce, write and confirm what one turn says about its person."""
    plan = process().database.transact(lambda tx: plan_learning(tx, lease, defaults=process().defaults))
    if plan is None:
        return
    keys = AnnouncedKeys(plan)
    try:
        written = _with_model(plan, keys) if process().has_language_model else _with_rules(plan, keys)
    except FenceLost:
        written = []
    process().database.transact(
        lambda tx: confirm_learning(tx, plan, written, announced=list(keys.memories), entities=keys.entities)
    )


@dataclass
class AnnouncedKeys:
    """Commits intents when mem0 is about to write, and remembers which memory each key belongs to."""

    plan: LearningPlan
    evidence: tuple[Quote, ...] = ()
    memories: dict[UUID, MemoryId] = field(default_factory=dict)
    entities: list[UUID] = field(default_factory=list)

    def __call__(self, records: Sequence[tuple[UUID, str]], kind: str) -> None:
        """Announce keys.

        Raises:
            FenceLost: a source is gone; mem0 must not write.
        """
        keys = [key for key, _ in records]
        stands: Callable[..., bool]
        if kind == "entity":
            self.entities += keys
            stands = lambda tx: announce_entities(tx, self.plan, keys)  # noqa: E731
        else:
            new = {key: MemoryId(new_id()) for key in keys}
            self.memories |= new
            stands = lambda tx: announce_memories(tx, self.plan, list(new.items()), self.evidence)  # noqa: E731
        if not process().database.transact(stands):
            raise FenceLost


def _with_rules(plan: LearningPlan, keys: AnnouncedKeys) -> list[Written]:
    written: list[Written] = []
    for candidate in process().extractor.extract([_utterance(message) for message in plan.turn.messages]):
        finding = _finding(plan, candidate)
        if finding is None:
            continue
        keys.evidence = finding.quotes
        writes = process().mem0.remember(plan.subject.namespace, finding.text, announce=keys)
        written += [Written(finding=finding, memory_id=keys.memories[one.key], key=one.key) for one in writes]
    return written


def _with_model(plan: LearningPlan, keys: AnnouncedKeys) -> list[Written]:
    earlier = process().database.transact(lambda tx: recent_messages(tx, plan, limit=CONTEXT_MESSAGES))
    spoken = [{"role": m.role, "content": m.text} for m in plan.turn.messages if m.role in ("user", "assistant")]
    context = [{"role": m.role, "content": m.text} for m in earlier]
    keys.evidence = tuple(Quote(message_id=m.id) for m in plan.turn.messages if m.role in ("user", "assistant"))
    if any(plan.unlearnable.get(quote.message_id) for quote in keys.evidence):
        return []  # a model quotes nothing, so it cannot avoid the spans its person asked never to be learned
    return [
        Written(
            finding=Finding(
                text=write.text,
                content_type="fact",
                importance=5,
                taboo=False,
                origin="extracted",
                quotes=keys.evidence,
            ),
            memory_id=keys.memories[write.key],
            key=write.key,
        )
        for write in process().mem0.learn(plan.subject.namespace, spoken, announce=keys, recent_messages=context)
        if write.text not in plan.known_texts
    ]


def _finding(plan: LearningPlan, candidate: Candidate) -> Finding | None:
    message = plan.turn.messages[candidate.utterance]
    if candidate.text in plan.known_texts or not plan.allows(message.id, candidate.quote_start, candidate.quote_end):
        return None
    return Finding(
        text=candidate.text,
        content_type=candidate.content_type,
        importance=candidate.importance,
        taboo=candidate.taboo,
        origin="stated" if candidate.explicit else "extracted",
        quotes=(Quote(message_id=message.id, start=candidate.quote_start, end=candidate.quote_end),),
    )


def _utterance(message: Message) -> Utterance:
    return Utterance(role=message.role, text=message.text)
