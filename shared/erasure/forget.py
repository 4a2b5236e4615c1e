"""Accept a forget: hide the target at once, then queue its erasure from every store.

Once any of these functions commits, nothing of the target is served (P1). The outbox rows do the erasing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from shared.consent.sql import consents
from shared.conversations.sql import conversations
from shared.conversations.summarise import queue_roll
from shared.erasure.rules.scopes import CONFIRMATIONS, KINDS_LEARNED_FROM_A_TURN, OPERATION_TYPES, Scope
from shared.kernel import event_log, items, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConfirmationRequired, NotFound
from shared.kernel.events import ConversationCleared, Event, ForgetAccepted
from shared.kernel.ids import OperationId
from shared.kernel.items import Forgotten
from shared.kernel.locks import close_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn, lineage
from shared.lineage.sql.lineage import Items, PlacedTurn
from shared.memories.sql import memories
from shared.outbox.job_kinds import DERIVING
from shared.outbox.sql import operations, outbox
from shared.outbox.sql.targets import Parts, Target
from shared.outbox.stages import STAGES
from shared.preferences.sql import signals


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


def forget_message(
    tx: Transaction, subject: Subject, message_id: UUID, request: ForgetRequest, *, cascade: bool
) -> None:
    """Forget a message (with `cascade`, its whole turn) and everything learned from that turn (MC-09, decision 23).

    Raises:
        NotFound: the message is not this person's, or was erased.
        SubjectBusy: the fence could not be taken in time.
    """
    _forget_messages(tx, subject, [message_id], request, cascade=cascade)


def forget_messages_again(
    tx: Transaction, subject: Subject, message_ids: Sequence[UUID], request: ForgetRequest
) -> None:
    """Repeat a forget of messages of one turn after a backup was restored.

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    _forget_messages(tx, subject, message_ids, request, cascade=False)


def forget_memory(tx: Transaction, subject: Subject, memory_id: UUID, request: ForgetRequest) -> None:
    """Forget one memory and the versions the person edited it from.

    Its messages stay, but the quoted spans are never learned from again. Memories that a model learned while it was
    shown this one are forgotten too, and learned again without it. Memories that it superseded become valid again.

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    subject = fenced(tx, subject)
    if memories.read(tx, subject.id, memory_id) is None:
        raise NotFound("memory")
    versions = lineage.versions_by_hand(tx, memory_id)
    _forget_memories(tx, subject, versions, request, named=versions)


def forget_memories_again(
    tx: Transaction, subject: Subject, memory_ids: Sequence[UUID], request: ForgetRequest
) -> None:
    """Repeat a forget of memories after a backup was restored; one of them was named by the person.

    Raises:
        SubjectBusy: as `forget_message`.
    """
    _forget_memories(tx, fenced(tx, subject), memory_ids, request)


def forget_conversation(tx: Transaction, subject: Subject, conversation_id: UUID, request: ForgetRequest) -> None:
    """Forget a conversation and everything derived from it (MC-10). Its id stays, and new messages to it are refused.

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    _forget_messages_of(tx, subject, conversation_id, request, scope="conversation")


def clear_conversation(tx: Transaction, subject: Subject, conversation_id: UUID, request: ForgetRequest) -> None:
    """Forget the current content of a conversation; the conversation stays (MC-10).

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    _forget_messages_of(tx, subject, conversation_id, request, scope="clear")


def forget_user(
    tx: Transaction, subject: Subject, request: ForgetRequest, *, confirmation: str | None, close_account: bool = False
) -> None:
    """Forget everything about a person in every store (MC-11). Their settings stay unless the account is closed too.

    Raises:
        ConfirmationRequired: the typed phrase is missing or wrong.
        SubjectBusy: as `forget_message`.
    """
    if confirmation not in CONFIRMATIONS:
        raise ConfirmationRequired
    subject = fenced(tx, subject)
    target = Target(
        operation_id=request.operation_id,
        subject_id=subject.id,
        scope="user",
        generation=subject.generation,
        namespace=subject.namespace,
        close_account=close_account,
    )
    consent = consents.current(tx, subject.id) if close_account else None
    renewed = subjects.start_new_generation(tx, subject)
    if close_account:
        subjects.close(tx, renewed, consent_version=consent.version if consent else None)
    outbox.drop_derivations(tx, subject.id, kinds=DERIVING)
    _write(tx, renewed, request, target, hidden={})


def forget_together(
    tx: Transaction,
    subject: Subject,
    together: Items,
    request: ForgetRequest,
    *,
    noted: Mapping[str, Any] | None = None,
) -> None:
    """Forget items and all text derived from them; memories with other sources are learned again from those.

    Args:
        together: ids by kind, read while the fence was closed.
        noted: as for `accept_forget`.
    """
    derived = lineage.derived_text(tx, together)
    gone = {kind: sorted({*together.get(kind, []), *derived.get(kind, [])}) for kind in sorted({*together, *derived})}
    accept_forget(
        tx,
        subject,
        request,
        "selection",
        gone,
        survivors=lineage.surviving_turns(tx, gone.get("memory", [])),
        noted=noted,
    )


def forget_together_again(tx: Transaction, subject: Subject, together: Items, request: ForgetRequest) -> None:
    """Repeat a forget of several items after a backup was restored.

    Raises:
        SubjectBusy: as `forget_message`.
    """
    forget_together(tx, fenced(tx, subject), together, request)


def _forget_memories(
    tx: Transaction,
    subject: Subject,
    memory_ids: Sequence[UUID],
    request: ForgetRequest,
    *,
    named: Sequence[UUID] | None = None,
) -> None:
    """Accept a forget of memories and everything derived from them.

    Args:
        named: memories that must never be learned again. None if unknown (ids from the ledger): then the first memory
            of each chain is taken, and memories that only derive from it are learned again.
    """
    derived = lineage.derived_text(tx, {"memory": memory_ids})
    if named is None:
        named = sorted(set(memory_ids) - set(derived.get("memory", [])))
    do_not_learn.mark_quotes_of(tx, named, operation_id=request.operation_id)
    gone = sorted({*memory_ids, *derived.get("memory", [])})
    learn_again = [memory_id for memory_id in gone if memory_id not in named]
    survivors = lineage.surviving_turns(tx, learn_again)
    # The next feedback would teach the preference again, so its evidence is erased too.
    evidence = signals.behind(tx, named)
    accept_forget(tx, subject, request, "selection", {**derived, **evidence, "memory": gone}, survivors=survivors)


def _forget_messages(
    tx: Transaction, subject: Subject, message_ids: Sequence[UUID], request: ForgetRequest, *, cascade: bool
) -> None:
    close_fence(tx, subject.id)
    taken = lineage.taken_with_messages(tx, subject, message_ids, whole_turn=cascade, learned=KINDS_LEARNED_FROM_A_TURN)
    if taken is None:
        raise NotFound("message")
    accept_forget(
        tx,
        subject,
        request,
        "message",
        taken.items,
        conversation_id=taken.conversation_id,
        survivors=taken.survivors,
        preferences=taken.preferences,
    )
    if taken.items.get("summary"):
        queue_roll(tx, subject.id, taken.conversation_id, again=True)  # waits while the forget can be undone


def fenced(tx: Transaction, subject: Subject) -> Subject:
    """Block all other writers of this person; return the subject's current state.

    Raises:
        SubjectBusy: the fence could not be taken in time.
    """
    close_fence(tx, subject.id)
    return subjects.again(tx, subject)


def _forget_messages_of(
    tx: Transaction, subject: Subject, conversation_id: UUID, request: ForgetRequest, *, scope: Scope
) -> None:
    subject = fenced(tx, subject)
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None or intake.gone:
        raise NotFound("conversation")
    # Clearing covers items inside the conversation; only memories used outside it are hidden by id. They are collected
    # from the first message on, because an earlier clear may be undone.
    lost = lineage.memories_from_conversation(tx, subject, conversation_id)
    through = conversations.clear(tx, conversation_id)
    hidden: dict[str, Sequence[UUID]] = {"memory": lost}
    if scope == "conversation":
        hidden["conversation"] = [conversation_id]
    accept_forget(
        tx,
        subject,
        request,
        scope,
        hidden,
        conversation_id=conversation_id,
        after=intake.cleared_through,
        through=through,
        survivors=lineage.surviving_turns(tx, lost, conversation_id=conversation_id, through=through),
    )


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
    preferences: bool | None = None,
    parts: Parts | None = None,
    noted: Mapping[str, Any] | None = None,
) -> None:
    """Hide the items and queue their erasure; call this under the closed fence.

    Args:
        hidden: ids of all items to hide, by kind.
        conversation_id, after, through: the range of a conversation to erase, by message seq.
        survivors: the turns to learn from again.
        preferences: whether other feedback still supports some of the items; looked up if None.
        parts: the items of `hidden` that are erased only in part, with the spans to erase.
        noted: what else the ledger records, for a replay; no content.
    """
    if preferences is None:
        preferences = signals.support_elsewhere(tx, hidden, conversation_id=conversation_id, through=through)
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
    _write(tx, subject, request, target, hidden=hidden)


def _write(
    tx: Transaction,
    subject: Subject,
    request: ForgetRequest,
    target: Target,
    *,
    hidden: Mapping[str, Sequence[UUID]] | Items,
) -> None:
    scope: Scope = target.scope  # type: ignore[assignment]  # stored as text, made from a Scope above
    first, *later = STAGES
    forgotten = Forgotten(
        scope=scope,
        conversation_id=target.conversation_id,
        through=target.through,
        hidden=hidden,
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
