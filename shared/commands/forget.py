"""Accept a forget: hide at once, then let the stores be erased and searched.

From the commit of any of these nothing of the target is served (P1); the outbox rows do the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from shared.commands.refusals import ConfirmationRequired, NotFound
from shared.domain.events import ConversationCleared, Event, ForgetAccepted
from shared.domain.forgetting import (
    CONFIRMATIONS,
    ERASE_STEPS,
    FINAL_STEPS,
    KINDS_LEARNED_FROM_A_TURN,
    OPERATION_TYPES,
    Scope,
    messages_to_forget,
)
from shared.domain.ids import OperationId
from shared.domain.work import INDEX_EPISODE, LEARN_MEMORY
from shared.persistence import conversations, events, lineage, memories, operations, outbox, subjects, turns
from shared.persistence.database import Transaction
from shared.persistence.ids import new_id
from shared.persistence.lineage import Items
from shared.persistence.locks import close_fence
from shared.persistence.operations import Target
from shared.persistence.subjects import Subject


def forget_message(tx: Transaction, subject: Subject, message_id: UUID, *, cascade: bool, actor: str) -> OperationId:
    """Forget a message, with `cascade` its whole turn, and what was learned from that turn (MC-09, decision 23).

    Raises:
        NotFound: the message is not this person's, or was erased.
        SubjectBusy: the fence could not be taken in time.
    """
    subject = _fenced(tx, subject)
    found = turns.members(tx, subject, message_id)
    if found is None:
        raise NotFound("message")
    conversation_id, turn, members = found
    gone = messages_to_forget(message_id, members, cascade=cascade)
    derived = lineage.derived_text(tx, {"message": gone})
    from_turn = lineage.derived_text(tx, {"message": [member.message_id for member in members]}, shown=False)
    for kind in KINDS_LEARNED_FROM_A_TURN:
        derived[kind] = sorted({*derived.get(kind, []), *from_turn.get(kind, [])})
    return _accept(
        tx, subject, "message", {"message": gone, **derived}, conversation_id=conversation_id, turn=turn, actor=actor
    )


def forget_memory(tx: Transaction, subject: Subject, memory_id: UUID, *, actor: str) -> OperationId:
    """Forget one memory; its message stays, but that span is never learned from again.

    What a model learned while it was shown this one goes too, and is learned again without it.

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    subject = _fenced(tx, subject)
    if memories.read(tx, subject.id, memory_id) is None:
        raise NotFound("memory")
    derived = lineage.derived_text(tx, {"memory": [memory_id]})
    memories.never_learn_again(tx, [memory_id])
    gone = {**derived, "memory": [memory_id, *derived.get("memory", [])]}
    return _accept(tx, subject, "selection", gone, actor=actor, learn_again=derived.get("memory", []))


def forget_conversation(tx: Transaction, subject: Subject, conversation_id: UUID, *, actor: str) -> OperationId:
    """Forget a conversation and all that was made of it (MC-10); its id stays, posting to it is refused.

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    return _forget_messages_of(tx, subject, conversation_id, scope="conversation", actor=actor)


def clear_conversation(tx: Transaction, subject: Subject, conversation_id: UUID, *, actor: str) -> OperationId:
    """Forget what a conversation holds so far; the conversation stays (MC-10).

    Raises:
        NotFound, SubjectBusy: as `forget_message`.
    """
    return _forget_messages_of(tx, subject, conversation_id, scope="clear", actor=actor)


def forget_user(tx: Transaction, subject: Subject, *, confirmation: str | None, actor: str) -> OperationId:
    """Forget everything about a person in every store (MC-11); the switches stay as they are.

    Raises:
        ConfirmationRequired: the typed phrase is missing or wrong.
        SubjectBusy: as `forget_message`.
    """
    if confirmation not in CONFIRMATIONS:
        raise ConfirmationRequired
    subject = _fenced(tx, subject)
    operation_id = OperationId(new_id())
    target = Target(
        operation_id=operation_id,
        subject_id=subject.id,
        scope="user",
        generation=subject.generation,
        namespace=subject.namespace,
    )
    renewed = subjects.start_new_generation(tx, subject)
    outbox.drop_derivations(tx, subject.id, kinds=(INDEX_EPISODE, LEARN_MEMORY))
    _write(tx, renewed, target, hidden={}, actor=actor)
    return operation_id


def _fenced(tx: Transaction, subject: Subject) -> Subject:
    close_fence(tx, subject.id)
    return subjects.read(tx, subject.id) or subject


def _forget_messages_of(
    tx: Transaction, subject: Subject, conversation_id: UUID, *, scope: Scope, actor: str
) -> OperationId:
    subject = _fenced(tx, subject)
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None or intake.gone:
        raise NotFound("conversation")
    # What lives inside the conversation goes with its cleared part; only what reaches outside is hidden by name.
    lost = lineage.memories_from_conversation(tx, subject, conversation_id, after=intake.cleared_through)
    through = conversations.clear(tx, conversation_id)
    hidden: dict[str, Sequence[UUID]] = {"memory": lost}
    if scope == "conversation":
        hidden["conversation"] = [conversation_id]
    return _accept(
        tx,
        subject,
        scope,
        hidden,
        conversation_id=conversation_id,
        after=intake.cleared_through,
        through=through,
        actor=actor,
    )


def _accept(
    tx: Transaction,
    subject: Subject,
    scope: Scope,
    hidden: Mapping[str, Sequence[UUID]],
    *,
    actor: str,
    conversation_id: UUID | None = None,
    turn: int | None = None,
    after: int = 0,
    through: int = 0,
    learn_again: Sequence[UUID] | None = None,
) -> OperationId:
    operation_id = OperationId(new_id())
    operations.hide(tx, operation_id, hidden)
    lost = hidden.get("memory", []) if learn_again is None else learn_again
    survivors = lineage.surviving_turns(tx, lost, conversation_id=conversation_id, turn=turn) if lost else []
    target = Target(
        operation_id=operation_id,
        subject_id=subject.id,
        scope=scope,
        generation=subject.generation,
        namespace=subject.namespace,
        conversation_id=conversation_id,
        after=after,
        through=through,
        survivors=tuple(survivors),
    )
    _write(tx, subject, target, hidden=hidden, actor=actor)
    return operation_id


def _write(
    tx: Transaction, subject: Subject, target: Target, *, hidden: Mapping[str, Sequence[UUID]] | Items, actor: str
) -> None:
    scope: Scope = target.scope  # type: ignore[assignment]  # stored as text, made from a Scope above
    operations.add(tx, target, type_=OPERATION_TYPES[scope], ready=ERASE_STEPS, waiting=tuple(FINAL_STEPS))
    accepted = ForgetAccepted(scope=scope, hidden={kind: len(ids) for kind, ids in hidden.items() if ids})
    events.append(tx, subject, target.operation_id, [accepted], actor=actor)
    if scope == "clear" and target.conversation_id is not None:
        cleared: Event = ConversationCleared(operation_id=target.operation_id, through=target.through)
        events.append(tx, subject, target.conversation_id, [cleared], actor=actor)
