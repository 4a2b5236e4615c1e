"""Which search hits an assistant may be given: hits are hints, the rows visible now decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from shared.conversations.sql import episodes
from shared.conversations.sql.episodes import Episode
from shared.kernel.database import Transaction
from shared.memories.sql import memories, provenance
from shared.memories.sql.memories import StoredMemory
from shared.memories.sql.provenance import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallableMemory:
    """A usable memory with its sources; `score` is None in the fixed order."""

    memory: StoredMemory
    sources: tuple[Source, ...]
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallableEpisode:
    """A usable episode."""

    episode: Episode
    score: float


def memories_for_the_assistant(
    tx: Transaction,
    subject_id: UUID,
    best: Mapping[tuple[str, UUID], float] | None,
    *,
    project_id: str | None,
    limit: int,
    among: Collection[UUID] | None = None,
) -> list[RecallableMemory]:
    """Return usable memories among the hits, or the first in the fixed order if `best` is None.

    Args:
        limit: how many in the fixed order.
        among: the only memories that may be returned.
    """
    ids = None if best is None else [item_id for kind, item_id in best if kind == "memory"]
    if among is not None:
        ids = [one for one in ids if one in among] if ids is not None else list(among)
    most = limit if best is None else len(best)
    stored = memories.the_assistant_would_see(tx, subject_id, ids=ids, project_id=project_id, limit=most)
    sources = provenance.sources(tx, [memory.id for memory in stored])
    return [
        RecallableMemory(
            memory=memory,
            sources=tuple(sources[memory.id]),
            score=None if best is None else best[("memory", memory.id)],
        )
        for memory in stored
    ]


def episodes_for_the_assistant(
    tx: Transaction, subject_id: UUID, conversation_id: UUID, best: Mapping[tuple[str, UUID], float]
) -> list[RecallableEpisode]:
    """Return the visible episodes of one conversation among the hits (MC-04: recall stays inside it)."""
    ids = [item_id for kind, item_id in best if kind == "episode"]
    found = episodes.read_many(tx, subject_id, conversation_id, ids)
    return [RecallableEpisode(episode=one, score=best[("episode", one.id)]) for one in found.values()]
