"""Compare a new fact with existing memories: new, repeated, a correction, or a contradiction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.language.compare import Resolution, Statement, resolve, worth_comparing
from shared.language.port import Readings
from shared.lineage.sql import vector_keys
from shared.memories.confirm_learning import Comparison, Fact, Support, WrittenFact
from shared.memories.learn import LearningPlan, Quote
from shared.memories.sql.comparable import Comparable, comparable
from shared.stores.port import Hit

SEARCHED: Final = 50
"""How many of the nearest memories are looked up. Those no longer in force are not compared, and whoever moved twenty
times has twenty of them that are nearer than everything else."""

OWN_COMPARED: Final = 6
"""How many of the last facts of the same turn a fact is compared with; a long turn has too many for all."""

HAPPENED: Final = frozenset({"tool_experience", "task_outcome"})
"""Types that record an event: a different outcome another time does not contradict it."""

SURE_BY_HAND: Final = 0.92

Resolve = Callable[..., Resolution]
"""`shared.language.compare.resolve` with a reader."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The memories that a statement is compared with, and how many they are the nearest of."""

    memories: tuple[Comparable, ...] = ()
    among: int = 0


Search = Callable[[Fact], Nearest]


@dataclass(slots=True)
class Comparer:
    """Compares the facts of one turn with existing memories.

    Args:
        plan: the turn.
        search: finds the nearest memories.
        resolve: decides what a new statement does to existing ones.
    """

    plan: LearningPlan
    search: Search
    resolve: Resolve
    supports: list[Support] = field(default_factory=list)
    _compared: dict[UUID, Comparable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._compared = {memory.id: memory for memory in self.plan.recent}

    @property
    def compared(self) -> frozenset[UUID]:
        """Ids of all memories compared so far."""
        return frozenset(self._compared)

    def comparison(self, fact: Fact, quote: Quote, *, said_before: Sequence[Comparable]) -> Comparison | None:
        """Compare a fact with the nearest memories and those without a vector; None if it says nothing new.

        A repetition is recorded as support for the memory it repeats.

        Args:
            said_before: facts of the same turn that were kept already.
        """
        near = self.search(fact)
        found = {memory.id: memory for memory in near.memories}
        self._compared |= found
        unsearchable = (memory for memory in self.plan.recent if not memory.searchable)
        beside = found | {memory.id: memory for memory in (*unsearchable, *said_before)}
        return self._against(fact, quote, list(beside.values()), Comparison(), among=near.among)

    def again(
        self, written: Sequence[WrittenFact], quotes: Sequence[Quote], memories: Sequence[Comparable]
    ) -> list[WrittenFact]:
        """Compare facts with memories added meanwhile; return the facts that still say something new."""
        self._compared |= {memory.id: memory for memory in memories}
        kept: list[WrittenFact] = []
        for item, quote in zip(written, quotes, strict=True):
            comparison = self._against(item.fact, quote, memories, item.comparison)
            if comparison is not None:
                kept.append(replace(item, comparison=comparison))
        return kept

    def _against(
        self, fact: Fact, quote: Quote, memories: Sequence[Comparable], comparison: Comparison, *, among: int = 0
    ) -> Comparison | None:
        if fact.content_type in HAPPENED:
            same = [memory for memory in memories if memory.text == fact.text]
            if same:
                self._support(same, Resolution(outcome="same", of=(0,)), quote)
            return None if same else comparison
        said = _statement(fact, self.plan)
        assert said.said_at is not None  # noqa: S101 # every message has its time
        memories = [memory for memory in memories if _may_hold(memory, said.said_at)]
        before = sorted((memory for memory in memories if memory.said_at <= said.said_at), key=_said)
        after = sorted((memory for memory in memories if memory.said_at > said.said_at), key=_said)
        found = self.resolve(said, list(map(_remembered, before)), among=among)
        if found.outcome == "same":
            self._support(before, found, quote)
            return None
        newest, second = _two_newest(before, found)
        if found.outcome == "replaces" and newest in _for_the_same(before, self.plan.project_id):
            comparison = _with(comparison, supersedes=newest, contradicts=second)
        elif found.outcome in ("replaces", "disputes"):
            comparison = _with(comparison, contradicts=newest)
        return self._with_later(said, after, quote, comparison)

    def _with_later(
        self, said: Statement, after: Sequence[Comparable], quote: Quote, comparison: Comparison
    ) -> Comparison | None:
        """Compare memories that were said later with a statement; None if one of them says the same."""
        for memory in after:
            answer = self.resolve(_remembered(memory), [said])
            if answer.outcome == "same":
                self._support([memory], Resolution(outcome="same", of=(0,)), quote)
                return None
            if answer.outcome == "replaces" and memory.project_id == self.plan.project_id:
                comparison = _with(comparison, superseded_by=memory.id)
            elif answer.outcome in ("replaces", "disputes"):
                comparison = _with(comparison, contradicted_by=memory.id)
        return comparison

    def _support(self, memories: Sequence[Comparable], found: Resolution, quote: Quote) -> None:
        self.supports.append(Support(memory_id=memories[max(found.of)].id, quote=quote))


def nearest(
    tx: Transaction,
    subject_id: UUID,
    text: str,
    hits: Sequence[Hit],
    *,
    project_id: str | None,
    may_concern: Callable[[Comparable], bool],
) -> Nearest:
    """Return the memories behind hits, best first, that a new statement is compared with; one of exactly the same text
    always is.

    Args:
        may_concern: whether a statement like this one may concern a memory at all.
    """
    items = {key: item_id for key, (_, item_id) in vector_keys.visible(tx, [hit.key for hit in hits]).items()}
    memories = comparable(tx, subject_id, list(items.values()), project_id=project_id)
    known = {memory.id: memory for memory in memories if may_concern(memory)}
    found = [(hit.score, known[items[hit.key]]) for hit in hits if items.get(hit.key) in known]
    few = worth_comparing([score for score, _ in found])
    chosen = [memory for place, (_, memory) in enumerate(found) if place < few or memory.text == text]
    return Nearest(tuple(chosen), len(found))


def nearest_to(tx: Transaction, plan: LearningPlan, fact: Fact, hits: Sequence[Hit]) -> Nearest:
    """Return the memories behind hits that a fact of a turn is compared with; what happened concerns only what did."""
    happened = fact.content_type in HAPPENED
    return nearest(
        tx,
        plan.subject.id,
        fact.text,
        hits,
        project_id=plan.project_id,
        may_concern=lambda memory: (memory.content_type in HAPPENED) == happened,
    )


def by_hand(written: Comparable, memories: Sequence[Comparable], readings: Readings, *, among: int = 0) -> Comparison:
    """Compare a memory written by hand with earlier ones; it supersedes those it repeats or corrects.

    Unlike a fact from a conversation it already exists, so of two equal memories the one written by hand is kept.
    Separate entries remain separate unless the reader's confidence is at least `SURE_BY_HAND`.

    Args:
        among: how many there are that `memories` are the nearest of.
    """
    before = sorted(
        (memory for memory in memories if memory.id != written.id and memory.said_at <= written.said_at), key=_said
    )
    remembered = list(map(_remembered, before))
    found = resolve(_remembered(written), remembered, readings, sure=SURE_BY_HAND, among=among)
    newest, second = _two_newest(before, found)
    elsewhere = newest is not None and newest not in _for_the_same(before, written.project_id)
    if found.outcome == "disputes" or (found.outcome == "replaces" and elsewhere):
        return Comparison(contradicts=newest)
    if elsewhere:
        return Comparison()
    return Comparison(supersedes=newest, contradicts=second if found.outcome == "replaces" else None)


def _may_hold(memory: Comparable, said_at: datetime) -> bool:
    """Return whether a statement made then may be one about this memory.

    A statement that repeats what its person had decided was wrong is compared as a new one: it may be true by now.
    """
    return memory.content_type not in HAPPENED and (memory.decided_at is None or said_at <= memory.decided_at)


def _for_the_same(memories: Sequence[Comparable], project_id: str | None) -> set[UUID]:
    """Return the memories for the same project, or for all: what is said for one project ends nothing elsewhere."""
    return {memory.id for memory in memories if memory.project_id == project_id}


def _two_newest(memories: Sequence[Comparable], found: Resolution) -> tuple[UUID | None, UUID | None]:
    """Return the newest memory that was found, and the one before it."""
    *_, second, newest = [None, None, *(memories[place].id for place in sorted(found.of))]
    return newest, second


def _with(
    comparison: Comparison,
    *,
    supersedes: UUID | None = None,
    contradicts: UUID | None = None,
    superseded_by: UUID | None = None,
    contradicted_by: UUID | None = None,
) -> Comparison:
    """Merge a further result into a comparison; the result about the newest memory wins."""
    return Comparison(
        supersedes=supersedes or comparison.supersedes,
        contradicts=contradicts or comparison.contradicts,
        superseded_by=comparison.superseded_by or superseded_by,
        contradicted_by=comparison.contradicted_by or contradicted_by,
    )


def _statement(fact: Fact, plan: LearningPlan) -> Statement:
    return Statement(fact.text, said_at=plan.turn.messages[0].spoken_at, safety=fact.taboo)


def _remembered(memory: Comparable) -> Statement:
    return Statement(memory.text, said_at=memory.said_at, safety=memory.taboo)


def _said(memory: Comparable) -> tuple[object, UUID]:
    return memory.said_at, memory.id
