"""Why a memory is remembered, and where it takes effect (MC-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.kernel.database import Transaction
from shared.lineage.sql import lineage, vector_keys
from shared.lineage.sql.lineage import Edge
from shared.memories.queries.remembered import Remembered, one_memory
from shared.memories.sql import memories, provenance, supersession_chain
from shared.memories.sql.memories import StoredMemory
from shared.memories.sql.provenance import Source
from shared.preferences.sql import signals
from shared.preferences.sql.signals import Judgement
from shared.recall.rules.selection import strongest_rival
from shared.recall.sql import context

Reason: TypeAlias = Literal[
    "superseded", "disabled", "archived", "conflict", "longterm_off", "injection_off", "withheld"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A message with its quote. `relation`: the memory's text was made from it, or it supports the text."""

    source: Source
    relation: Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMemory:
    """One memory of a supersession chain with its evidence: messages, and feedback on answers."""

    memory: StoredMemory
    evidence: tuple[Evidence, ...]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Where a memory takes effect.

    `given_now`: whether an assistant in its scope would be given it; if not, `reasons` say why. `searchable`: whether
    mem0 already holds it.
    """

    switches: Switches
    given_now: bool
    reasons: tuple[Reason, ...]
    searchable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that explains one memory.

    `chain` lists the visible memories superseded before or after it, itself included, oldest first. `edited_from` lists
    those the person edited it from.
    """

    explained: ExplainedMemory
    chain: tuple[ExplainedMemory, ...]
    edited_from: tuple[UUID, ...]
    contradicts: Remembered | None
    contradicted_by: tuple[Remembered, ...]
    effect: Effect


def explain(tx: Transaction, subject_id: UUID, memory_id: UUID, *, terms: Terms) -> Explanation | None:
    """Return why a memory is remembered; None if the person cannot see it."""
    stored = supersession_chain.chain(tx, subject_id, memory_id)
    memory = next((one for one in stored if one.id == memory_id), None)
    if memory is None:
        return None
    evidence = _evidence(tx, stored)
    judgements = signals.judgements(tx, [one.id for one in stored])
    chain = tuple(
        ExplainedMemory(memory=one, evidence=evidence[one.id], judgements=tuple(judgements[one.id])) for one in stored
    )
    visible = {one.id for one in stored}
    newer = supersession_chain.disputing(tx, subject_id, memory_id)
    return Explanation(
        explained=next(one for one in chain if one.memory.id == memory_id),
        chain=chain,
        edited_from=tuple(one for one in lineage.versions_by_hand(tx, memory_id)[1:] if one in visible),
        contradicts=one_memory(tx, subject_id, memory.contradicts) if memory.contradicts else None,
        contradicted_by=tuple(found for one in newer if (found := one_memory(tx, subject_id, one))),
        effect=_effect(tx, subject_id, memory, effective(tx, subject_id, terms=terms)),
    )


def _evidence(tx: Transaction, stored: Sequence[StoredMemory]) -> dict[UUID, tuple[Evidence, ...]]:
    ids = [memory.id for memory in stored]
    relations = {(edge.derived_id, edge.source_id): edge.edge for edge in lineage.evidence(tx, ids)}
    return {
        memory_id: tuple(
            # An answer that got feedback has no lineage edge of its own: the text comes from the feedback.
            Evidence(source=one, relation=relations.get((memory_id, one.message_id), "text_from"))
            for one in sources
        )
        for memory_id, sources in provenance.sources_with_titles(tx, ids).items()
    }


def _effect(tx: Transaction, subject_id: UUID, memory: StoredMemory, holding: Switches) -> Effect:
    offered = memories.the_assistant_would_see(tx, subject_id, ids=[memory.id], project_id=memory.project_id, limit=1)
    rivals = context.rivals(tx, subject_id, [memory.id], project_id=memory.project_id).get(memory.id, [])
    rival = strongest_rival(
        [(one.confirmed, one.said_at, one.id) for one in rivals],
        (memory.confirmed, memory.spoken_at or memory.created_at, memory.id),
        taboo=memory.taboo,
    )
    why_not: dict[Reason, bool] = {
        "superseded": memory.superseded,
        "disabled": memory.disabled,
        "archived": memory.archived,
        "conflict": rival is not None,
        "longterm_off": not holding.longterm_enabled,
        "injection_off": not holding.injection_enabled,
    }
    reasons = tuple(reason for reason, holds in why_not.items() if holds)
    if not offered and not reasons:
        reasons = ("withheld",)  # another rule of the assistant's context excludes it
    return Effect(
        switches=holding,
        given_now=not reasons,
        reasons=reasons,
        searchable=vector_keys.is_written(tx, "memory", memory.id),
    )
