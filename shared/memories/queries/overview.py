"""Count a person's memories by facet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.memories.sql import overview
from shared.memories.sql.listing import MemoryFilter
from shared.memories.sql.overview import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Counts of what the person can see.

    Args:
        facets: facet → value → number of memories; the values of `task_hint` are content.
    """

    memories: int
    conversations: int
    facets: Mapping[str, Counts]


def overview_of(tx: Transaction, subject_id: UUID, wanted: MemoryFilter) -> Overview:
    """Return the counts of a person's memories, from one statement so that the numbers are consistent.

    Args:
        wanted: each facet is counted with the filters of all other facets applied.
    """
    counted = overview.count(tx, subject_id, wanted)
    return Overview(
        memories=counted["memories"].get("", 0), conversations=counted["conversations"].get("", 0), facets=counted
    )


def task_key(subject: Subject, task_hint: str) -> str:
    """Return a keyed digest that represents a task in URLs, because its name is content."""
    return subject.digest("task", task_hint)[:16].hex()


def task_of(tx: Transaction, subject: Subject, key: str) -> str | None:
    """Return the task of a key; None if no visible memory belongs to it."""
    return next((one for one in overview.task_hints(tx, subject.id) if task_key(subject, one) == key), None)
