"""Memory units as something newly said is compared with them (LT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction

MOMENT_SECONDS: Final = 60
"""A transaction ends within this time: what was learned longer ago is in the search by now, or was compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit that holds now: what it says, of which type, and when its person said so."""

    id: UUID
    text: str
    content_type: str
    said_at: datetime
    task_hint: str | None = None


_COMPARABLE: Final = """
  select m.id, m.text, m.content_type, coalesce(m.spoken_at, m.created_at) as said_at,
    m.task_hint from visible_memories m
  where m.subject_id = :subject and m.id not in (select superseded_memories(:subject))
    and (m.scope = 'global' or m.project_id = cast(:project as text))
"""


def comparable(tx: Transaction, subject_id: UUID, ids: Sequence[UUID], *, project_id: str | None) -> list[Unit]:
    """Return, of these units, those that hold now and concern the project: global ones and its own, oldest first."""
    rows = tx.rows(
        f"{_COMPARABLE} and m.id = any(:ids) order by m.id", subject=subject_id, project=project_id, ids=list(ids)
    )
    return [Unit(**row) for row in rows]


def created_since(tx: Transaction, subject_id: UUID, at: datetime, *, project_id: str | None) -> list[Unit]:
    """Return the units that hold now and came to be after `at`, or in the moment before it, oldest first."""
    rows = tx.rows(
        f"{_COMPARABLE} and m.created_at > cast(:at as timestamptz) - make_interval(secs => :moment) order by m.id",
        subject=subject_id,
        project=project_id,
        at=at,
        moment=MOMENT_SECONDS,
    )
    return [Unit(**row) for row in rows]
