"""What people asked to have corrected, until that is done."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.domain.ids import OperationId
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject

TYPE = "correct_memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What of somebody's memory is meant, and what holds instead, in their words."""

    about: str
    statement: str


def queue(
    tx: Transaction, subject: Subject, operation_id: OperationId, correction: Correction, *, kind: str, actor: str
) -> None:
    """Write an operation with its words, its step and the outbox row of that kind, in one statement."""
    tx.run(
        """
        with op as (
          insert into operations (id, subject_id, type, scope, target, status)
          values (:id, :subject, :type, 'memory', '{}', 'pending') returning id
        ), contents as (
          insert into correction_contents (operation_id, subject_id, generation, about, statement)
          select op.id, :subject, :generation, :about, :statement from op
        ), steps as (
          insert into operation_steps (operation_id, name, status)
          select op.id, 'correct', 'ready' from op returning id
        )
        insert into outbox (operation_id, step_id, subject_id, kind, payload)
        select :id, steps.id, :subject, :kind, jsonb_build_object('actor', cast(:actor as text)) from steps
        """,
        id=operation_id,
        subject=subject.id,
        generation=subject.generation,
        type=TYPE,
        about=correction.about,
        statement=correction.statement,
        kind=kind,
        actor=actor,
    )
    tx.queued = True


def read(tx: Transaction, operation_id: UUID) -> Correction | None:
    """Return the words of an operation; None when they were forgotten."""
    row = tx.row("select about, statement from visible_corrections where operation_id = :id", id=operation_id)
    return Correction(**row) if row else None


def forget(tx: Transaction, operation_id: UUID) -> None:
    """Drop the words of an operation: they were followed, or cannot be."""
    tx.run("delete from correction_contents where operation_id = :id", id=operation_id)
