"""One turn while it is learned from: its facts are read, announced, written through mem0 and confirmed (MC-05)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

from shared.conversations.sql.messages import Message
from shared.kernel.database import Transaction
from shared.kernel.ids import MemoryId
from shared.kernel.metadata import Metadata, screened
from shared.kernel.new_ids import new_id
from shared.kernel.spans import Span
from shared.language import sensitivity, terms
from shared.language.candidates import Candidate, Utterance
from shared.language.compare import resolve
from shared.language.embedding.maps import towards_concerned
from shared.language.extraction import ReaderExtractor
from shared.language.habits import read_habits
from shared.language.sensitivity.identifying import identifies
from shared.lineage.sql.vector_keys import START_WITHIN_SECONDS
from shared.memories.confirm_learning import (
    Comparison,
    Fact,
    Learned,
    MemoriesAdded,
    WrittenFact,
    confirm_learning,
    end_writes,
)
from shared.memories.learn import (
    Evidence,
    LearningPlan,
    Quote,
    announce_entities,
    announce_memories,
    may_be_shown,
    unchanged,
)
from shared.memories.sql.comparable import Comparable
from shared.runtime import telemetry
from shared.stores.port import FenceLost
from shared.traits.observe import as_shown, observe_messages
from shared.traits.reflect import queue_after_learning
from shared.traits.sql.observations import Shown, Source
from workers.learner.comparing import OWN_COMPARED, SEARCHED, Comparer, Nearest, nearest_to
from workers.learner.screening import (
    fact_identifies,
    is_rejected,
    not_learned_without_vector,
    rejected_spans,
    withheld_spans,
)
from workers.process import process

if TYPE_CHECKING:
    from shared.stores.mem0 import Mem0Store, Mem0Write

FINDINGS_MAX = 100
"""Most statements learned from one turn; more could not be written before their announcements expire."""


class LearnedTurn:
    """One turn while it is written to mem0 and PostgreSQL."""

    def __init__(self, plan: LearningPlan, mem0: Mem0Store) -> None:
        self._plan = plan
        self._mem0 = mem0
        self._database = process().database.of(plan.subject.id)
        self._readings = process().readings_for(self._may_be_shown)
        self._comparer = Comparer(
            plan=plan,
            search=self._nearest,
            resolve=partial(resolve, readings=self._readings),
        )
        self._evidence = Evidence(quotes=())
        self._memories: dict[UUID, MemoryId] = {}
        self._quotes: dict[UUID, Quote] = {}
        self._said: set[str] = set()
        self._vector: Sequence[float] | None = None
        self._remembered: dict[str, UUID] = {memory.text: memory.id for memory in plan.recent}
        self._calls_ended = self._refused = False
        self._shown: list[Shown] = []
        self.written: list[WrittenFact] = []

    def learn(self) -> None:
        """Store the facts its messages state, each with its quote.

        Sensitive content is left out (FC-10); in privacy mode, so is content that identifies a person (CN-02).
        """
        messages = [message for message in self._plan.turn.messages if message.role in ("user", "tool")]
        self._calls_ended = False
        before = self._evidence
        kept_out = {message.id: rejected_spans(message.text) for message in messages}
        task = self._allowed(self._plan.task.text) if self._plan.task else None
        shown: set[UUID] = set()
        earlier = [(message.role, self._utterance(message).shown) for message in self._plan.context]
        said = list(map(self._utterance, messages))
        self._observe([message for message in messages if message.role == "user"])
        extractor = ReaderExtractor(self._readings, bundled=process().reader)
        candidates = extractor.extract(said, task=task, before=earlier, follows=self._plan.follows)
        for candidate in candidates[:FINDINGS_MAX]:
            message = messages[candidate.utterance]
            quote = Quote(message_id=message.id, start=candidate.quote_start, end=candidate.quote_end)
            text = sensitivity.screen(candidate.text, process().sensitivity).text
            if text is None or not self._may_be_learned(candidate, text, message, kept_out[message.id]):
                continue
            hint = self._allowed(message.task_hint or candidate.task_hint)
            fact = _fact(candidate, text, hint or task, self._kept_with(message))
            self._said.add(text)
            with not_learned_without_vector():
                comparison = self._comparer.comparison(fact, quote, said_before=self._own_memories())
                if comparison is None:
                    continue
                self._evidence = Evidence(quotes=(quote,), shown_messages=self._also_from(candidate, fact, message))
                shown |= set(self._evidence.shown_messages)
                for write in self._mem0.remember(
                    self._plan.subject.namespace, text, announce=self._announce, vector=self._vector
                ):
                    self._keep(write, fact, comparison, quote)
        self._evidence = replace(before, shown_messages=tuple({*before.shown_messages, *shown}))
        self._calls_ended = True

    def _may_be_learned(self, candidate: Candidate, text: str, message: Message, kept_out: Sequence[Span]) -> bool:
        """Return whether a fact is new, and neither the person nor a policy keeps it from being learned."""
        start, end = candidate.quote_start, candidate.quote_end
        return not (
            text in self._plan.known_texts
            or any(first < end and last > start for first, last in kept_out)
            or not self._plan.allows(message.id, start, end)
            or is_rejected(candidate)
            or (self._plan.private and fact_identifies(candidate, message))
        )

    def _observe(self, messages: Sequence[Message]) -> None:
        """Read what messages show of their writer's behavior; one that touches a sensitive matter shows nothing."""
        self._shown = []
        if not self._plan.infers_traits or self._plan.again:  # a forget may have erased these observations
            return
        for message in messages:
            read = read_habits(self._utterance(message).shown, self._readings)
            for category in read.refused:
                telemetry.TRAIT_REFUSED.labels(category).inc()
            source = Source(
                kind="message",
                id=message.id,
                conversation_id=message.conversation_id,
                at_seq=message.seq,
                at=message.spoken_at,
            )
            self._shown += as_shown(source, read.habits, project=self._plan.project_id is not None)

    def _utterance(self, message: Message) -> Utterance:
        """Return a message for the reader, with sensitive or do-not-learn passages covered."""
        covered = [*withheld_spans(message.text), *self._plan.unlearnable.get(message.id, [])]
        return Utterance(role=message.role, text=message.text, name=message.name, covered=tuple(covered))

    def _also_from(self, candidate: Candidate, fact: Fact, message: Message) -> tuple[UUID, ...]:
        """Return other messages a fact depends on: the one that named its task, and those its wording may come from."""
        task, context = self._plan.task, self._plan.context
        named = task is not None and fact.task_hint == self._allowed(task.text)
        sources = {task.message_id} if task is not None and named else set()
        if candidate.reworded:
            sources |= {one.id for one in (*context, *self._plan.turn.messages)}
        elif candidate.answers and context:
            sources.add(context[-1].id)
        return tuple(sources - {message.id})

    def _kept_with(self, message: Message) -> Metadata | None:
        """Return the members of a message's metadata that may be stored, or None if there are none."""
        members = [screened({key: value}, self._allowed) or {} for key, value in (message.metadata or {}).items()]
        return {key: value for one in members for key, value in one.items()} or None

    def _allowed(self, hint: str | None) -> str | None:
        """Return a task name without sensitive content, or None if the name may not be stored."""
        if hint is None or (self._plan.private and identifies(hint)):
            return None
        return sensitivity.screen(hint, process().sensitivity).text

    def give_up(self) -> None:
        """Confirm nothing: a write was refused."""
        self.written.clear()
        self._refused = True

    def confirm(self) -> None:
        """Make all written facts visible, or none. Facts learned meanwhile by other workers are compared first."""
        self._calls_ended = True
        while True:
            learned = self._learned()
            try:
                self._database.transact(partial(self._confirm, learned))
            except MemoriesAdded as unknown:
                quotes = [self._quotes[item.key] for item in self.written]
                self.written = self._comparer.again(self.written, quotes, unknown.memories)
            else:
                return

    def _confirm(self, learned: Learned, tx: Transaction) -> None:
        confirm_learning(tx, self._plan, learned, self._evidence, refused=self._refused)
        subject = unchanged(tx, self._plan)
        if subject is None:
            return
        recorded: dict[UUID, datetime] = {message.id: message.recorded_at for message in self._plan.turn.messages}
        observe_messages(tx, subject, self._shown, recorded, terms=self._plan.terms)
        if self._plan.infers_traits and process().endpoint is not None:
            queue_after_learning(tx, subject)

    def end_writes(self) -> None:
        """Release keys that became no memory, unless a store call may still be running."""
        if self._calls_ended and (keys := list(self._memories)):
            self._database.transact(lambda tx: end_writes(tx, keys))

    def _may_be_shown(self, texts: Sequence[str]) -> list[bool]:
        """Return for each statement whether a language model may see it: the turn's own, and memories in force now.

        Raises:
            FenceLost: the turn was forgotten.
            ContextChanged: an earlier message was forgotten.
        """
        ids = {text: self._remembered[text] for text in texts if text in self._remembered}
        usable = self._database.transact(lambda tx: may_be_shown(tx, self._plan, list(ids.values())))
        if usable is None:
            raise FenceLost
        return [text in self._said or ids.get(text) in usable for text in texts]

    def _announce(self, records: Sequence[tuple[UUID, str]], kind: str, _links: Mapping[UUID, Sequence[UUID]]) -> float:
        """Commit intents before mem0 writes; return the monotonic time in seconds by which the write must start."""
        keys = [key for key, _ in records]
        begun = time.monotonic()
        if kind == "entity":
            stands = self._database.transact(lambda tx: announce_entities(tx, self._plan, keys))
        else:
            new = {key: MemoryId(new_id()) for key in keys}
            known, said, before = list(new.items()), self._evidence, list(self._memories)
            stands = self._database.transact(lambda tx: announce_memories(tx, self._plan, known, said, before=before))
            self._memories |= new
        if not stands:
            raise FenceLost
        return begun + START_WITHIN_SECONDS

    def _keep(self, write: Mem0Write, fact: Fact, comparison: Comparison, quote: Quote) -> None:
        item = WrittenFact(
            fact=fact,
            memory_id=self._memories[write.key],
            key=write.key,
            found_by=terms.digests(terms.words(fact.text), self._plan.subject.namespace),
            comparison=comparison,
        )
        self.written.append(item)
        self._quotes[write.key] = quote

    def _own_memories(self) -> list[Comparable]:
        """Return the latest facts of this turn as memories."""
        said_at = self._plan.turn.messages[0].spoken_at
        return [one.as_memory(said_at, self._plan.project_id) for one in self.written[-OWN_COMPARED:]]

    def _nearest(self, fact: Fact) -> Nearest:
        [self._vector] = process().embedder.passages([fact.text])
        hits = self._mem0.nearest(self._plan.subject.namespace, towards_concerned(self._vector), limit=SEARCHED)
        near = self._database.transact(lambda tx: nearest_to(tx, self._plan, fact, hits))
        self._remembered |= {memory.text: memory.id for memory in near.memories}
        return near

    def _learned(self) -> Learned:
        return Learned(
            written=tuple(self.written),
            supports=tuple(self._comparer.supports),
            compared=self._comparer.compared,
            withheld={
                message.id: counts
                for message in self._plan.turn.messages
                if message.role == "user"
                and (counts := sensitivity.screen(message.text, process().sensitivity).withheld)
            },
        )


def _fact(candidate: Candidate, text: str, task_hint: str | None, metadata: Metadata | None) -> Fact:
    return Fact(
        text=text,
        content_type=candidate.content_type,
        importance=candidate.importance,
        taboo=candidate.taboo,
        origin="stated" if candidate.explicit else "extracted",
        method=candidate.method,
        task_hint=task_hint,
        emotion=candidate.emotion,
        metadata=metadata,
    )
