"""Correct a memory by description: accepted at once; whoever learns finds the unit meant and edits it (X-06, CN-03)."""

from __future__ import annotations

from typing import Literal, TypeAlias
from uuid import UUID

from shared.commands.await_undo import await_undo
from shared.commands.close_step import close_step
from shared.commands.edit_memory import edit_memory
from shared.commands.refusals import LongTermOff
from shared.domain.events import StepFailed
from shared.domain.failures import describe
from shared.domain.ids import OperationId
from shared.domain.switches import Switches
from shared.domain.work import MEMORY_CORRECT
from shared.persistence import corrections, events, outbox, steps, subjects, switches
from shared.persistence.corrections import Correction
from shared.persistence.database import Transaction
from shared.persistence.ids import new_id
from shared.persistence.locks import enter_fence
from shared.persistence.outbox import Lease
from shared.persistence.subjects import Subject

Unclear: TypeAlias = Literal["nothing_meant", "several_meant"]
"""Why a correction cannot be made."""


def ask_to_correct(
    tx: Transaction, subject: Subject, correction: Correction, *, defaults: Switches, actor: str
) -> OperationId:
    """Queue a correction and return the operation that tells what became of it.

    Raises:
        LongTermOff: the person's switch is off.
        SubjectBusy: the fence could not be entered in time.
    """
    enter_fence(tx, subject.id)
    subject = subjects.again(tx, subject)
    if not switches.current(tx, subject.id, defaults=defaults).longterm_enabled:
        raise LongTermOff
    operation_id = OperationId(new_id())
    corrections.queue(tx, subject, operation_id, correction, kind=MEMORY_CORRECT, actor=actor)
    return operation_id


def read_correction(tx: Transaction, lease: Lease) -> Correction | None:
    """Return what is to be corrected; None, and the operation failed, when it was forgotten meanwhile.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    correction = corrections.read(tx, _operation(lease))
    if correction is None:
        _fail(tx, lease, "nothing_meant")
    return correction


def correct_memory(
    tx: Transaction, lease: Lease, correction: Correction, memory_id: UUID, *, if_version: int, defaults: Switches
) -> None:
    """Let the statement take the place of the unit meant, as an edit by hand does, and close the operation.

    Raises:
        NotFound, MemoryChanged, MemorySuperseded: it is not what it was when it was found; look again.
        LongTermOff: the person's switch is off by now.
        LeaseLost: the row is someone else's by now; nothing is corrected.
    """
    subject = subjects.read(tx, lease.subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    edit_memory(
        tx,
        subject,
        memory_id,
        {"text": correction.statement},
        defaults=defaults,
        actor=lease.payload["actor"],
        if_version=if_version,
    )
    corrections.forget(tx, _operation(lease))
    close_step(tx, lease, {"corrected": 1})


def refuse_correction(tx: Transaction, lease: Lease, why: Unclear) -> None:
    """Let the operation fail for good: its person says more clearly what they mean, or names the memory itself.

    Raises:
        UndoPossible: what is meant may be hidden by a forget that may still be undone.
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    if why == "nothing_meant":
        await_undo(tx, lease.subject_id)
    _fail(tx, lease, why)


def _fail(tx: Transaction, lease: Lease, why: Unclear) -> None:
    outbox.close(tx, lease)
    corrections.forget(tx, _operation(lease))
    assert lease.step_id is not None  # noqa: S101 # rows of operations have their step
    steps.fail(tx, lease.step_id, error=describe(why))
    subject = subjects.read(tx, lease.subject_id)
    if subject is not None:
        failed = StepFailed(step=lease.kind, code=why)
        events.append(tx, subject, _operation(lease), [failed], actor="system:learner")


def _operation(lease: Lease) -> UUID:
    assert lease.operation_id is not None  # noqa: S101 # every row of this kind has its operation
    return lease.operation_id
