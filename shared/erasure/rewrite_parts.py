"""Rewrite the rest of partly forgotten items before the old text is erased (X-06)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.conversations.sql import messages
from shared.conversations.sql.messages import Message
from shared.conversations.summarise import queue_roll
from shared.erasure.sql import selections
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryArchived, MemoryDisputed, MemoryRepointed
from shared.kernel.ids import MemoryId
from shared.kernel.new_ids import repeatable_id
from shared.kernel.spans import Span, cut
from shared.kernel.subjects import Subject
from shared.memories.change import change_memory
from shared.memories.sql import memories, supersession_chain
from shared.memories.sql.memories import StoredMemory
from shared.memories.write import MemorySource, NewMemory, write_memory
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import targets
from shared.outbox.sql.targets import Target

ACTOR = "system:eraser"


def rewrite_parts(tx: Transaction, subject: Subject, target: Target) -> int:
    """Write the rest of each partly forgotten item and show the messages again; return how many items were rewritten.

    Call this under the closed fence and the learning lock of this person. Safe to repeat.

    Raises:
        UndoPossible: another forget that can be undone hides one of the items, and undoing must not restore the old
            text.
    """
    if target.rewritten or not target.parts:
        return 0
    left = [
        _rewrite_message(tx, subject, target, message_id, spans)
        for message_id, spans in target.parts.get("message", {}).items()
    ]
    left += [
        _rewrite_memory(tx, subject, target, memory_id, spans)
        for memory_id, spans in target.parts.get("memory", {}).items()
    ]
    targets.mark_rewritten(tx, target.operation_id)
    return sum(left)


def _rewrite_message(
    tx: Transaction, subject: Subject, target: Target, message_id: UUID, spans: Sequence[Span]
) -> bool:
    if not selections.is_left(tx, "message", message_id):
        return False
    with selections.shown(tx, "message", message_id):
        message = messages.read(tx, subject.id, message_id)
    if message is None:  # erased with a larger item
        await_undo(tx, subject.id)
        return False
    selections.reword(tx, subject.id, message_id, cut(message.text, spans), spans)
    selections.unhide(tx, target.operation_id, "message", message_id)
    queue_roll(tx, subject.id, message.conversation_id, again=True)
    return True


def _rewrite_memory(tx: Transaction, subject: Subject, target: Target, memory_id: UUID, spans: Sequence[Span]) -> bool:
    if not selections.is_left(tx, "memory", memory_id) or selections.is_withdrawn(tx, "memory", memory_id):
        return False
    with selections.shown(tx, "memory", memory_id):
        memory = memories.read(tx, subject.id, memory_id)
    if memory is None:
        await_undo(tx, subject.id)
        return False
    text = cut(memory.text, spans).strip()
    # The ledger may name the rest, too: after a restore it must be found under the same id.
    rest = MemoryId(repeatable_id(target.operation_id, memory_id))
    left = write_memory(tx, subject, _what_is_left(tx, subject, memory, text), actor=ACTOR, memory_id=rest)
    selections.hand_over(tx, memory_id, left)
    memories.replace_part(tx, memory_id, left)
    if memory.archived and (stored := memories.for_change(tx, subject, left)) is not None:
        change_memory(tx, subject, left, stored, MemoryArchived(), actor=ACTOR)
    for newer in supersession_chain.contradicting(tx, subject.id, memory_id):
        if (stored := memories.for_change(tx, subject, newer, hidden_too=True)) is not None:
            change_memory(tx, subject, newer, stored, MemoryDisputed(contradicts=left), actor=ACTOR)
    # Successors of the whole memory now supersede the rest.
    for successor in supersession_chain.successors(tx, [memory_id]):
        if successor != left:
            supersession_chain.repoint(tx, successor, left)
            event_log.append(tx, subject, successor, [MemoryRepointed(supersedes=left)], actor=ACTOR)
    return True


def _what_is_left(tx: Transaction, subject: Subject, memory: StoredMemory, text: str) -> NewMemory:
    # Without its task, emotion, metadata and external id: they may repeat the forgotten words.
    # All it was made from, so that the rest goes with whatever the whole would have gone with.
    sources = [
        _quoted(message, text)
        if edge.source_kind == "message"
        and not edge.context
        and (message := messages.read(tx, subject.id, edge.source_id)) is not None
        else MemorySource(kind=edge.source_kind, id=edge.source_id, edge=edge.edge, context=edge.context)
        for edge in selections.sources_of(tx, memory.id)
    ]
    return NewMemory(
        text=text,
        content_type=memory.content_type,
        scope=memory.scope,
        project_id=memory.project_id,
        origin=memory.origin,
        method=memory.method or "rules",
        importance=memory.importance,
        taboo=memory.taboo,
        supersedes=memory.supersedes,
        contradicts=memory.contradicts,
        level=memory.level,
        conversation_id=memory.conversation_id,
        spoken_at=memory.spoken_at,
        sources=tuple(sources),
        confirmed=memory.confirmed,
        disabled=memory.disabled,
    )


def _quoted(message: Message, text: str) -> MemorySource:
    """Return a message as evidence of the rest: quoted where it contains this text, else as a whole."""
    start = message.text.find(text)
    quote = (start, start + len(text)) if start >= 0 else (None, None)
    return MemorySource(kind="message", id=message.id, quote_start=quote[0], quote_end=quote[1])
