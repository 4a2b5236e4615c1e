"""Forget messages, memories, a conversation or everything about a person.

Once any of these functions commits, nothing of the target is served (P1). The outbox rows do the erasing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from shared.consent.sql import consents
from shared.conversations.sql import clearing, conversations
from shared.conversations.summarise import queue_roll
from shared.erasure.accept import ForgetRequest, accept_forget, accept_target, fenced, merged
from shared.erasure.rules.confirmation import CONFIRMATIONS
from shared.erasure.rules.scopes import KINDS_LEARNED_FROM_A_TURN, Scope
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConfirmationRequired, NotFound
from shared.kernel.locks import close_fence
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn, lineage
from shared.lineage.sql.lineage import Items
from shared.memories.sql import memories
from shared.outbox.job_kinds import DERIVING
from shared.outbox.sql import outbox
from shared.outbox.sql.targets import Target
from shared.preferences.sql import support


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
    accept_target(tx, renewed, request, target, hidden={})


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
    gone = merged(together, lineage.derived_text(tx, together))
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
    taken = merged(derived, support.behind(tx, named), {"memory": gone})
    accept_forget(tx, subject, request, "selection", taken, survivors=survivors, named=named)


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


def _forget_messages_of(
    tx: Transaction, subject: Subject, conversation_id: UUID, request: ForgetRequest, *, scope: Scope
) -> None:
    subject = fenced(tx, subject)
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None or intake.gone:
        raise NotFound("conversation")
    # Clearing covers items inside the conversation; only memories, and what was said of them, which are used outside it
    # are hidden by id. They are collected from the first message on, because an earlier clear may be undone.
    lost = lineage.memories_from_conversation(tx, subject, conversation_id)
    derived = lineage.derived_text(tx, {"memory": lost})
    lost = sorted({*lost, *derived.get("memory", [])})
    through = clearing.clear(tx, conversation_id)
    hidden: dict[str, Sequence[UUID]] = {**derived, "memory": lost}
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
