"""How much is remembered of a person, and of what kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.memories.sql import overview
from shared.memories.sql.memories import MemoryFilter
from shared.memories.sql.overview import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Counts of what its person can see.

    Args:
        facets: facet → value → memories; of `task_hint` the values are content.
    """

    memories: int
    conversations: int
    facets: Mapping[str, Counts]


def overview_of(tx: Transaction, subject_id: UUID, wanted: MemoryFilter) -> Overview:
    """Return what is remembered of a person, counted in one statement: the numbers agree with each other.

    Args:
        wanted: of each facet, what the filters by the other facets leave is counted.
    """
    counted = overview.count(tx, subject_id, wanted)
    return Overview(
        memories=counted["memories"].get("", 0), conversations=counted["conversations"].get("", 0), facets=counted
    )


def task_key(subject: Subject, task_hint: str) -> str:
    """Return what stands for a task in a URL: a keyed digest, since its name is content."""
    return subject.digest("task", task_hint)[:16].hex()


def task_of(tx: Transaction, subject: Subject, key: str) -> str | None:
    """Return the task a key stands for; None when nothing visible belongs to it any more."""
    return next((one for one in overview.task_hints(tx, subject.id) if task_key(subject, one) == key), None)
