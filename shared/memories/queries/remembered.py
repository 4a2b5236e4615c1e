"""Memories, episodes and summaries as the person sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.consent.allows import allows
from shared.consent.rules.policy import Terms
from shared.conversations.sql import conversations, episodes, summaries
from shared.conversations.sql.episodes import Episode
from shared.conversations.sql.summaries import Summary
from shared.kernel.database import Transaction
from shared.memories.sql import listing, memories, provenance
from shared.memories.sql.listing import MemoryFilter, Order, Place
from shared.memories.sql.memories import StoredMemory
from shared.memories.sql.provenance import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A memory and its source messages (MC-16)."""

    memory: StoredMemory
    sources: tuple[Source, ...]


SummaryStatus: TypeAlias = Literal["none", "current", "rewriting", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryShown:
    """A conversation's summary, if it may be shown, and its status.

    `rewriting`: a covered message was forgotten and the summary is rewritten from the rest. `off`: the person turned
    summaries off; the stored summary is kept but not returned (MC-06).
    """

    status: SummaryStatus
    summary: Summary | None


def memories_of(
    tx: Transaction, subject_id: UUID, wanted: MemoryFilter, *, after: Place | None, limit: int, order: Order = "newest"
) -> list[Remembered]:
    """Return a page of a person's long-term memories after a position, each with its sources."""
    found = listing.page(tx, subject_id, wanted, after=after, limit=limit, order=order)
    sources = provenance.sources_with_titles(tx, [one.id for one in found])
    return [Remembered(memory=one, sources=tuple(sources[one.id])) for one in found]


def one_memory(tx: Transaction, subject_id: UUID, memory_id: UUID) -> Remembered | None:
    """Return one memory with its sources, if the person can see it."""
    found = memories.read(tx, subject_id, memory_id)
    if found is None:
        return None
    return Remembered(memory=found, sources=tuple(provenance.sources_with_titles(tx, [memory_id])[memory_id]))


def summary_of(tx: Transaction, subject_id: UUID, conversation_id: UUID, *, terms: Terms) -> SummaryShown | None:
    """Return a conversation's summary and status; None if the conversation does not belong to this person."""
    if not conversations.is_visible(tx, subject_id, conversation_id):
        return None
    if not allows(tx, subject_id, "summarize", terms=terms):
        return SummaryShown(status="off", summary=None)
    rewritten = summaries.is_rewritten(tx, subject_id, conversation_id)
    summary = summaries.newest(tx, conversation_id)
    if rewritten:
        return SummaryShown(status="rewriting", summary=summary)
    return SummaryShown(status="current" if summary else "none", summary=summary)


def episodes_of(
    tx: Transaction, subject_id: UUID, conversation_id: UUID, *, before: UUID | None, limit: int
) -> Sequence[Episode] | None:
    """Return a conversation's episodes, newest first; None if it does not belong to this person."""
    if not conversations.is_visible(tx, subject_id, conversation_id):
        return None
    return episodes.page(tx, conversation_id, before=before, limit=limit)
