"""Append a memory that a service learned itself, with its source and the memory it replaces (LT-02, LT-03)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.conversations.sql import messages, turns
from shared.conversations.sql.messages import Message
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, NotToBeLearned, ProvenanceWrong
from shared.kernel.subjects import Subject
from shared.language.sensitivity.identifying import identifies
from shared.lineage.sql import do_not_learn
from shared.memories.change import memory_to_change
from shared.memories.lock_learning import lock_learning
from shared.memories.write import MemorySource, NewMemory

TURNS_MAX: Final = 50
"""Most turns that a memory comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The claimed source of a memory; None where nothing is claimed.

    Args:
        quote_start, quote_end: half-open character offsets in the message.
    """

    message_id: UUID
    session_id: UUID | None = None
    source_type: str | None = None
    turn_index: int | None = None
    turn_range: tuple[int, int] | None = None
    quote_start: int | None = None
    quote_end: int | None = None


def sourced(
    tx: Transaction, subject: Subject, new: NewMemory, *, claim: Claim | None, supersedes: UUID | None, terms: Terms
) -> NewMemory:
    """Return the memory with its source message and the memory it supersedes; it is erased with either.

    Raises:
        NotFound: the message or the older memory does not belong to this person, or is not visible.
        ProvenanceWrong: the message does not match the claim.
        NotToBeLearned: the message, or the quoted span, is excluded from learning, or the text identifies somebody and
            privacy mode is on (CN-02).
        MemorySuperseded: the older memory was already superseded.
        SubjectBusy: the fence could not be acquired in time.
    """
    subject = lock_learning(tx, subject)
    if supersedes is not None:
        subject, _, old = memory_to_change(tx, subject, supersedes)
        new = replace(new, supersedes=old.id, sources=(*new.sources, MemorySource(kind="memory", id=old.id)))
    if claim is not None:
        if effective(tx, subject.id, terms=terms).privacy_mode_enabled and identifies(new.text):
            raise NotToBeLearned
        message, source = _message(tx, subject, claim)
        new = replace(
            new,
            conversation_id=message.conversation_id,
            spoken_at=message.spoken_at,
            sources=(*new.sources, source, *_beside(tx, message, claim)),
        )
    return new


def _beside(tx: Transaction, message: Message, claim: Claim) -> list[MemorySource]:
    """Return the other messages of the turns that a claim names, if it does: the memory is erased with any of them.

    Raises:
        ProvenanceWrong: it names more turns than one memory can come from.
    """
    if claim.turn_range is None:
        return []
    first, last = claim.turn_range
    if last - first >= TURNS_MAX:
        raise ProvenanceWrong
    ids = turns.learnable_ids(tx, message.conversation_id, first=first, last=last)
    return [MemorySource(kind="message", id=one) for one in ids if one != message.id]


def _message(tx: Transaction, subject: Subject, claim: Claim) -> tuple[Message, MemorySource]:
    """Return the message that a claim names, as a source with its whole quote."""
    message = messages.read(tx, subject.id, claim.message_id)
    turn = turns.sources(tx, [claim.message_id])
    if message is None or turn is None:
        raise NotFound("message")
    start, end = claim.quote_start or 0, len(message.text) if claim.quote_end is None else claim.quote_end
    if not _says_so(message, claim) or not start < end <= len(message.text):
        raise ProvenanceWrong
    forbidden = do_not_learn.spans(tx, [message.id]).get(message.id, [])
    if not turn.learn or any(first < end and last > start for first, last in forbidden):
        raise NotToBeLearned
    quoted = (None, None) if claim.quote_start is None and claim.quote_end is None else (start, end)
    return message, MemorySource(kind="message", id=message.id, quote_start=quoted[0], quote_end=quoted[1])


def _says_so(message: Message, claim: Claim) -> bool:
    first, last = claim.turn_range or (message.turn, message.turn)
    said_by = "model" if message.role == "assistant" else message.role
    claimed = (claim.session_id, claim.source_type, claim.turn_index)
    true = (message.conversation_id, said_by, message.turn)
    agree = all(one is None or one == other for one, other in zip(claimed, true, strict=True))
    return agree and first <= message.turn <= last
