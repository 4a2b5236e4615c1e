"""SQL for current memories that new statements are compared with (LT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction

MOMENT_SECONDS: Final = 60
"""Upper limit of a transaction's duration: older memories can be found by a search or were already compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A current memory: its text, its type, and when the person stated it."""

    id: UUID
    text: str
    content_type: str
    said_at: datetime
    task_hint: str | None = None
    taboo: bool = False


_COMPARABLE: Final = """
  select m.id, m.text, m.content_type, coalesce(m.spoken_at, m.created_at) as said_at,
    m.task_hint, m.taboo from visible_memories m
  where m.subject_id = :subject and m.method is distinct from 'document'
    and m.id not in (select superseded_memories(:subject))
    and (m.scope = 'global' or m.project_id = cast(:project as text))
"""


def comparable(tx: Transaction, subject_id: UUID, ids: Sequence[UUID], *, project_id: str | None) -> list[Unit]:
    """Return those of these memories that are current and either global or in the project, oldest first."""
    rows = tx.rows(
        f"{_COMPARABLE} and m.id = any(:ids) order by m.id", subject=subject_id, project=project_id, ids=list(ids)
    )
    return [Unit(**row) for row in rows]


def created_since(tx: Transaction, subject_id: UUID, at: datetime, *, project_id: str | None) -> list[Unit]:
    """Return the current memories created after `at`, or up to `MOMENT_SECONDS` before it, oldest first."""
    rows = tx.rows(
        f"{_COMPARABLE} and m.created_at > cast(:at as timestamptz) - make_interval(secs => :moment) order by m.id",
        subject=subject_id,
        project=project_id,
        at=at,
        moment=MOMENT_SECONDS,
    )
    return [Unit(**row) for row in rows]
