"""What every forget shares: the request, the fence, and accepting it: hide the target, then queue its erasure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from shared.erasure.rules.scopes import OPERATION_TYPES, Scope
from shared.kernel import event_log, items, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ConversationCleared, Event, ForgetAccepted
from shared.kernel.ids import OperationId
from shared.kernel.items import Forgotten
from shared.kernel.locks import close_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql.lineage import Items, PlacedTurn
from shared.outbox.sql import operations
from shared.outbox.sql.targets import Parts, Target
from shared.outbox.stages import STAGES
from shared.preferences.sql import support


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """Who requests a forget, and its options.

    Args:
        actor: the requester, for the event log.
        undo_seconds: how long the forget can be undone; nothing is erased before.
        operation_id: the operation to create; a replay passes the id of the lost one.
        receipt_id: id of the proof; random, so that nobody can guess it.
        run: how many times the forget was repeated after a backup was restored.
    """

    actor: str
    undo_seconds: int = 0
    operation_id: OperationId = field(default_factory=lambda: OperationId(new_id()))
    receipt_id: UUID = field(default_factory=uuid4)
    run: int = 0


def fenced(tx: Transaction, subject: Subject) -> Subject:
    """Block all other writers of this person; return the subject's current state.

    Raises:
        SubjectBusy: the fence could not be taken in time.
    """
    close_fence(tx, subject.id)
    return subjects.again(tx, subject)


def accept_forget(
    tx: Transaction,
    subject: Subject,
    request: ForgetRequest,
    scope: Scope,
    hidden: Mapping[str, Sequence[UUID]],
    *,
    conversation_id: UUID | None = None,
    after: int = 0,
    through: int = 0,
    survivors: Sequence[PlacedTurn] = (),
    named: Sequence[UUID] = (),
    preferences: bool | None = None,
    parts: Parts | None = None,
    noted: Mapping[str, Any] | None = None,
) -> None:
    """Hide the items and queue their erasure; call this under the closed fence.

    Args:
        hidden: ids of all items to hide, by kind.
        conversation_id, after, through: the part of a conversation that goes, as in `Target`.
        survivors: the turns to learn from again.
        named: the memories of `hidden` that the person named.
        preferences: whether other feedback still supports some of the items; looked up if None.
        parts: the items of `hidden` that are erased only in part, with the spans to erase.
        noted: what else the ledger records, for a replay; no content.
    """
    if preferences is None:
        preferences = support.support_elsewhere(tx, hidden, conversation_id=conversation_id, through=through)
    target = Target(
        operation_id=request.operation_id,
        subject_id=subject.id,
        scope=scope,
        generation=subject.generation,
        namespace=subject.namespace,
        conversation_id=conversation_id,
        after=after,
        through=through,
        survivors=tuple(survivors),
        preferences=preferences,
        parts=parts or {},
        noted=noted or {},
    )
    accept_target(tx, subject, request, target, hidden=hidden, named=named)


def accept_target(
    tx: Transaction,
    subject: Subject,
    request: ForgetRequest,
    target: Target,
    *,
    hidden: Mapping[str, Sequence[UUID]] | Items,
    named: Sequence[UUID] = (),
) -> None:
    """Write the operation of a target, with its hides and outbox rows; call this under the closed fence.

    Args:
        hidden, named: as for `accept_forget`.
    """
    scope: Scope = target.scope  # type: ignore[assignment]  # stored as text, made from a Scope
    first, *later = STAGES
    forgotten = Forgotten(
        scope=scope,
        conversation_id=target.conversation_id,
        through=target.through,
        hidden=hidden,
        named=named,
        partly={one for kept in target.parts.values() for one in kept},
        actor=request.actor,
    )
    # Items a kind gives up because of this forget end with this commit. They are erased and verified like any other.
    for kind in items.kinds():
        for name, ids in kind.on_forget(tx, subject, forgotten).items() if kind.on_forget else ():
            hidden = {**hidden, name: sorted({*hidden.get(name, []), *ids})}
    accepted = ForgetAccepted(scope=scope, hidden={kind: len(ids) for kind, ids in hidden.items() if ids})
    operations.accept(
        tx,
        subject,
        target,
        accepted,
        actor=request.actor,
        hidden=hidden,
        type_=OPERATION_TYPES[scope],
        ready=first,
        waiting=[name for stage in later for name in stage if name != "rederive" or target.learn_again],
        receipt_id=request.receipt_id,
        undo_seconds=request.undo_seconds,
        run=request.run,
    )
    if scope == "clear" and target.conversation_id is not None:
        cleared: Event = ConversationCleared(operation_id=target.operation_id, through=target.through)
        event_log.append(tx, subject, target.conversation_id, [cleared], actor=request.actor)


def merged(*parts: Mapping[str, Sequence[UUID]]) -> Items:
    """Return all items of the parts by kind, each once and sorted."""
    kinds = {kind for part in parts for kind in part}
    return {kind: sorted({one for part in parts for one in part.get(kind, [])}) for kind in sorted(kinds)}
