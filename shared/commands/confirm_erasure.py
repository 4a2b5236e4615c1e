"""Close the steps of a forget on evidence, and let the next ones start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from shared.commands.await_undo import await_undo
from shared.commands.close_step import close_step
from shared.commands.record_messages import queue_derivations
from shared.domain.events import ConversationErased, MemoryErased, MemoryRepointed
from shared.domain.memories import surviving_predecessor
from shared.domain.work import LEARN_MEMORY
from shared.persistence import erasure, events, lineage, memories, operations, subjects, turns
from shared.persistence.database import Transaction
from shared.persistence.locks import close_fence
from shared.persistence.operations import Target
from shared.persistence.outbox import Lease


class ResidueLeft(Exception):
    """A store still holds copies of the target; counts by part, never what they are."""

    def __init__(self, store: str, found: Mapping[str, int]) -> None:
        super().__init__(f"{store} still holds {sum(found.values())} copies")
        self.store = store
        self.found = dict(found)


def bridge_supersession(tx: Transaction, target: Target) -> None:
    """Before memories are erased, let their successors supersede what stood before them (P3); safe to repeat."""
    close_fence(tx, target.subject_id)
    subject = subjects.read(tx, target.subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    erased = memories.superseded_by(tx, operations.hidden(tx, target.operation_id, "memory"))
    for successor, superseded in memories.successors(tx, list(erased)).items():
        before = surviving_predecessor(erased, superseded)
        memories.repoint(tx, successor, before)
        events.append(tx, subject, successor, [MemoryRepointed(supersedes=before)], actor="system:eraser")


def confirm_postgres(tx: Transaction, lease: Lease, target: Target, *, erased: int) -> None:
    """Close the PostgreSQL step once no table holds a row of the target.

    Raises:
        ResidueLeft: rows are left; the step must run again.
        LeaseLost: the row is someone else's by now.
    """
    close_fence(tx, target.subject_id)
    subject = subjects.read(tx, target.subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    erasure.finish(tx, target)
    if found := erasure.residue(tx, target):
        raise ResidueLeft("postgres", found)
    if target.scope != "user":
        gone = operations.hidden(tx, target.operation_id, "memory")
        if gone:
            left = MemoryErased(operation_id=target.operation_id)
            events.replace_streams(tx, subject, "memory", gone, left, actor="system:eraser")
        if target.scope == "conversation" and target.conversation_id is not None:
            left_of_it = ConversationErased(operation_id=target.operation_id)
            events.replace_streams(
                tx, subject, "conversation", [target.conversation_id], left_of_it, actor="system:eraser"
            )
    close_step(tx, lease, {"erased": erased, "residue": 0})


def confirm_store(tx: Transaction, lease: Lease, target: Target, *, erased: int) -> None:
    """Close the step of a store whose strongly consistent search found nothing.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    close_fence(tx, target.subject_id)
    close_step(tx, lease, {"erased": erased, "residue": 0})


def rederive_survivors(tx: Transaction, lease: Lease, target: Target) -> None:
    """Queue the turns that still support what was hidden; they are learned from as new memories (P3).

    Raises:
        UndoPossible: one of them is hidden by a forget that may still be undone.
        LeaseLost: the row is someone else's by now.
    """
    close_fence(tx, target.subject_id)
    subject = subjects.read(tx, target.subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    queued = 0
    for conversation_id, turn in target.survivors:
        if turns.sources(tx, turns.completed_message_ids(tx, conversation_id, turn)):
            queue_derivations(tx, subject, conversation_id, turn, kinds=(LEARN_MEMORY,), again=True)
            queued += 1
        else:
            await_undo(tx, target.subject_id)
    close_step(tx, lease, {"turns": queued})


def complete_operation(tx: Transaction, lease: Lease, target: Target, counts: Mapping[str, int]) -> None:
    """Close the verification: every store was searched again and found empty, no write can still arrive.

    Raises:
        ResidueLeft, LeaseLost: as `confirm_postgres`.
    """
    close_fence(tx, target.subject_id)
    erasure.finish(tx, target)
    if found := erasure.residue(tx, target):
        raise ResidueLeft("postgres", found)
    if target.scope in ("conversation", "clear") and target.conversation_id is not None:
        lineage.forget_conversation(tx, target.conversation_id, through=target.through)
    erasure.forget_keys(tx, target)
    lineage.forget_items(tx, target.operation_id)
    operations.unhide(tx, target.operation_id)
    operations.mark_erased(tx, target.operation_id)
    close_step(tx, lease, counts)


def read_target(tx: Transaction, operation_id: UUID) -> Target:
    """Return what an operation erases."""
    return operations.target(tx, operation_id)


def read_targets(tx: Transaction, operation_ids: Sequence[UUID]) -> dict[UUID, Target]:
    """Return what several operations erase."""
    return operations.targets(tx, operation_ids)
