"""SQL for current memories that new statements are compared with (LT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, exists, func, select

from shared.kernel.database import Transaction
from shared.kernel.tables import events
from shared.lineage.sql.tables import visible_vectors
from shared.memories.sql.memories import SUPERSEDED
from shared.memories.sql.tables import visible_memories

MOMENT_SECONDS: Final = 60
"""Upper limit of a transaction's duration: older memories can be found by a search or were already compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """A current memory: its text, its type, when the person stated it, and whether it has a vector to be found by.

    Args:
        project_id: the project it is for; None for all.
        decided_at: when its person decided that what it contradicts is right, and it was paused for that.
    """

    id: UUID
    text: str
    content_type: str
    said_at: datetime
    task_hint: str | None = None
    taboo: bool = False
    searchable: bool = True
    project_id: str | None = None
    decided_at: datetime | None = None


_PAUSED, _RESOLVED = events.alias("paused"), events.alias("resolved")
_M: Final = visible_memories.c
_COMPARABLE: Final = (
    select(_M.id, _M.text, _M.content_type, _M.task_hint, _M.taboo, _M.project_id)
    .add_columns(func.coalesce(_M.spoken_at, _M.created_at).label("said_at"))
    # Pausing by a decision is told in the same moment as the decision.
    .add_columns(
        select(func.max(_PAUSED.c.at))
        .join(_RESOLVED, (_RESOLVED.c.stream == _PAUSED.c.stream) & (_RESOLVED.c.at == _PAUSED.c.at))
        .where(_M.disabled, _PAUSED.c.stream == func.concat("memory:", _M.id))
        .where(_PAUSED.c.type == "MemoryDisabled", _RESOLVED.c.type == "MemoryResolved")
        .scalar_subquery()
        .label("decided_at")
    )
    .where(_M.subject_id == bindparam("subject"), _M.method.is_distinct_from("document"), ~SUPERSEDED)
    .where((_M.scope == "global") | (_M.project_id == bindparam("project")))
    .order_by(_M.id)
)
_SOME: Final = _COMPARABLE.where(_M.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
_V: Final = visible_vectors.c
_CREATED_AFTER: Final = _COMPARABLE.add_columns(
    exists().where(_V.item_kind == "memory", _V.item_id == _M.id).label("searchable")
).where(_M.created_at > bindparam("at"))


def comparable(tx: Transaction, subject_id: UUID, ids: Sequence[UUID], *, project_id: str | None) -> list[Comparable]:
    """Return those of these memories that are current and either global or in the project, oldest first."""
    rows = tx.rows(_SOME, subject=subject_id, project=project_id, ids=list(ids))
    return [Comparable(**row) for row in rows]


def created_since(tx: Transaction, subject_id: UUID, at: datetime, *, project_id: str | None) -> list[Comparable]:
    """Return the current memories created after `at`, or up to `MOMENT_SECONDS` before it, oldest first."""
    moment = timedelta(seconds=MOMENT_SECONDS)
    rows = tx.rows(_CREATED_AFTER, subject=subject_id, project=project_id, at=at - moment)
    return [Comparable(**row) for row in rows]
