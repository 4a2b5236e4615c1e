"""Tasks: recalls with a route (FC-16). They hold no words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from shared.contexts.rules.slices import Route
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

Status: TypeAlias = Literal["running", "succeeded", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task."""

    id: UUID
    route: Route
    status: Status
    conversation_id: UUID | None
    created_at: datetime
    ended_at: datetime | None


def add(tx: Transaction, subject: Subject, task: Task) -> None:
    tx.run(
        """
        insert into tasks (id, subject_id, generation, route, status, conversation_id, created_at, ended_at)
        values (:id, :subject, :generation, :route, :status, :conversation, :created_at, :ended_at)
        """,
        id=task.id,
        subject=subject.id,
        generation=subject.generation,
        route=task.route,
        status=task.status,
        conversation=task.conversation_id,
        created_at=task.created_at,
        ended_at=task.ended_at,
    )


def read(tx: Transaction, subject_id: UUID, task_id: UUID) -> Task | None:
    """Return a task of this person."""
    row = tx.row(
        """
        select id, route, status, conversation_id, created_at, ended_at from visible_tasks
        where subject_id = :subject and id = :id
        """,
        subject=subject_id,
        id=task_id,
    )
    return Task(**row) if row else None


def end(tx: Transaction, task_id: UUID, status: Status, at: datetime) -> None:
    tx.run("update tasks set status = :status, ended_at = :at where id = :id", id=task_id, status=status, at=at)


def recent_routes(tx: Transaction, subject_id: UUID, *, since: UUID | None = None) -> list[Route]:
    """Return the routes of the newest tasks, newest first, at most twenty.

    Args:
        since: only of those opened after this id was made.
    """
    rows = tx.rows(
        """
        select route from visible_tasks
        where subject_id = :subject and (cast(:since as uuid) is null or id > :since)
        order by id desc limit 20
        """,
        subject=subject_id,
        since=since,
    )
    return [row["route"] for row in rows]
