"""Close the steps of a forget once erasure is proven, and start the next steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.conversations.derive import queue_derivations
from shared.conversations.sql import turns
from shared.erasure.rewrite_parts import rewrite_parts
from shared.erasure.sql import erase, store_keys
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ConversationErased, MemoryErased, MemoryRepointed, TraitErased
from shared.kernel.locks import close_fence, one_at_a_time
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.memories.archive import bring_back
from shared.memories.rules.memories import surviving_predecessor
from shared.memories.sql import supersession_chain
from shared.outbox.await_undo import await_undo
from shared.outbox.job_kinds import INDEX_EPISODE, LEARN_MEMORY
from shared.outbox.sql import operations, steps, targets
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.targets import Target
from shared.outbox.stages import close_step
from shared.preferences.learn import learn_preferences_again


class ResidueLeft(Exception):
    """A store still holds copies of the target. `found` counts them by part and contains no content."""

    def __init__(self, store: str, found: Mapping[str, int]) -> None:
        super().__init__(f"{store} still holds {sum(found.values())} copies")
        self.store = store
        self.found = dict(found)


def erase_postgres(tx: Transaction, lease: Lease) -> bool:
    """Delete a batch of the target's rows, and close the PostgreSQL step once no table holds any.

    The step counts the deleted rows, in total (`erased`) and by table, for the person to read.

    Returns:
        Whether the step is closed; if not, call this again.

    Raises:
        ResidueLeft: rows are left; the step must run again.
        UndoPossible: an item to rewrite is hidden by another forget that can still be undone.
        LeaseLost: another worker holds the row now.
    """
    target = _target(tx, lease)
    if target.parts:
        one_at_a_time(tx, "learning", str(lease.subject_id))  # before the fence: the lock order of every memory writer
    close_fence(tx, lease.subject_id)
    subject = _subject(tx, lease)
    rewrite_parts(tx, subject, target)
    # Of a person who forgot everything since, nothing is told any more: all of it goes with that forget.
    tells = target.scope != "user" and subject.generation == target.generation
    memories_gone = operations.hidden(tx, target.operation_id, "memory") if tells else []
    if memories_gone:
        _bridge_supersession(tx, subject, memories_gone)
    batch = erase.erase_batch(tx, target)
    assert lease.step_id is not None  # noqa: S101 # every row of this kind has its step
    gone = Counter(steps.counts(tx, lease.step_id))
    gone.update({name: rows for name, rows in batch.rows.items() if rows})
    gone["erased"] += sum(batch.rows.values())
    if batch.full:
        steps.note(tx, lease.step_id, gone)
        return False
    _finish(tx, target)
    if memories_gone:
        left = MemoryErased(operation_id=target.operation_id)
        event_log.replace_streams(tx, subject, "memory", memories_gone, left, actor="system:eraser")
    if tells and (traits_gone := operations.hidden(tx, target.operation_id, "trait")):
        erased = TraitErased(operation_id=target.operation_id)
        event_log.replace_streams(tx, subject, "trait", traits_gone, erased, actor="system:eraser")
    if tells and target.scope == "conversation" and target.conversation_id is not None:
        left_of_it = ConversationErased(operation_id=target.operation_id)
        event_log.replace_streams(
            tx, subject, "conversation", [target.conversation_id], left_of_it, actor="system:eraser"
        )
    close_step(tx, lease, {**gone, "residue": 0})
    return True


def confirm_store(tx: Transaction, lease: Lease, target: Target, *, erased: int) -> None:
    """Close the step of a store whose strongly consistent search found nothing.

    Raises:
        LeaseLost: another worker holds the row now.
    """
    close_fence(tx, target.subject_id)
    close_step(tx, lease, {"erased": erased, "residue": 0})


def rederive_survivors(tx: Transaction, lease: Lease, *, terms: Terms) -> None:
    """Queue the turns that still support hidden items, so that they are learned from again (P3).

    Preferences learned from feedback are recreated at once from the remaining signals.

    Raises:
        UndoPossible: one of the turns is hidden by a forget that can still be undone.
        LeaseLost: another worker holds the row now.
    """
    target = _target(tx, lease)
    if target.preferences:
        one_at_a_time(tx, "learning", str(lease.subject_id))  # before the fence: the lock order of every memory writer
    close_fence(tx, lease.subject_id)
    subject = _subject(tx, lease)
    # A rewritten turn lost its episode; an unchanged turn still has one.
    kinds = (INDEX_EPISODE, LEARN_MEMORY) if target.parts.get("message") else (LEARN_MEMORY,)
    queued = 0
    for conversation_id, turn in target.survivors:
        if turns.sources(tx, turns.completed_message_ids(tx, conversation_id, turn)):
            queue_derivations(tx, subject, conversation_id, turn, kinds=kinds, again=True)
            queued += 1
        else:
            await_undo(tx, target.subject_id)
    made = learn_preferences_again(tx, subject, target.operation_id, terms=terms) if target.preferences else 0
    close_step(tx, lease, {"turns": queued, **({"preferences": made} if target.preferences else {})})


def complete_operation(tx: Transaction, lease: Lease, target: Target, counts: Mapping[str, int]) -> bool:
    """Close the verification: a second search found every store empty, and no write can still arrive.

    Returns:
        Whether the step is closed. If not, a late writer left more rows than one call deletes: call this again.

    Raises:
        ResidueLeft, LeaseLost: as `erase_postgres`.
    """
    close_fence(tx, target.subject_id)
    if erase.erase_batch(tx, target).full:
        return False
    _finish(tx, target)
    if target.scope in ("conversation", "clear") and target.conversation_id is not None:
        lineage.forget_conversation(tx, target.conversation_id, through=target.through)
    store_keys.forget(tx, target)
    lineage.forget_items(tx, target.operation_id)
    operations.unhide(tx, target.operation_id)
    operations.mark_erased(tx, target.operation_id)
    close_step(tx, lease, counts)
    return True


def read_targets(tx: Transaction, leases: Sequence[Lease]) -> list[Target]:
    """Return the targets of these rows' operations, in the same order."""
    found = targets.read_all(tx, [_operation(lease) for lease in leases])
    return [found[_operation(lease)] for lease in leases]


def _bridge_supersession(tx: Transaction, subject: Subject, gone: Sequence[UUID]) -> None:
    """Before memories are erased, make their successors supersede the memories before them (P3); safe to repeat."""
    erased = supersession_chain.superseded_by(tx, gone)
    for successor, superseded in supersession_chain.successors(tx, list(erased)).items():
        before = surviving_predecessor(erased, superseded)
        supersession_chain.repoint(tx, successor, before)
        event_log.append(tx, subject, successor, [MemoryRepointed(supersedes=before)], actor="system:eraser")
    standing = {before for one in erased if (before := surviving_predecessor(erased, one)) is not None}
    bring_back(tx, subject, standing, actor="system:eraser")  # LT-10: nothing supersedes them any more


def _finish(tx: Transaction, target: Target) -> None:
    erase.finish(tx, target)
    if found := erase.residue(tx, target):
        raise ResidueLeft("postgres", found)


def _target(tx: Transaction, lease: Lease) -> Target:
    return targets.read(tx, _operation(lease))


def _subject(tx: Transaction, lease: Lease) -> Subject:
    subject = subjects.read(tx, lease.subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    return subject


def _operation(lease: Lease) -> UUID:
    assert lease.operation_id is not None  # noqa: S101 # every row of these kinds has its operation
    return lease.operation_id
