"""What decides about each kind of record: whether it is present here, was erased here, or neither (X-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Table,
    Text,
    Update,
    Uuid,
    bindparam,
    case,
    cast,
    exists,
    literal,
    or_,
    select,
    update,
)

from shared.conversations.sql.tables import (
    conversations,
    episodes,
    erased_messages,
    messages,
    summaries,
    visible_conversations,
    visible_episodes,
    visible_messages,
    visible_summaries,
)
from shared.kernel import items
from shared.kernel.tables import events
from shared.ledger.sql.tables import imported_receipts
from shared.memories.sql.tables import memories, visible_memories
from shared.outbox.sql.tables import operations
from shared.portability.sql.import_staging import INCOMING
from shared.preferences.sql.tables import feedback, preference_signals, visible_feedback, visible_preference_signals

_Case: TypeAlias = tuple[ColumnElement[bool], ColumnElement[str]]
"""A condition, and the fate of the records that meet it but none before it."""

_PRESENT: Final = literal("present", Text)
_ERASED: Final = literal("erased", Text)
_SUBJECT: Final = bindparam("subject", type_=Uuid)

_record: Final = INCOMING.alias("i")
"""The record whose fate is decided."""
_conversation: Final = INCOMING.alias("c")
_ITS_CONVERSATION: Final = (_conversation.c.kind == "conversation") & (_conversation.c.id == _record.c.conversation_id)


def decisions() -> Iterator[Update]:
    """Yield the statements that set the fates of the records of each kind, in order of dependency."""
    for kind, cases in (*_FATES.items(), *_packed_fates()):
        decided = select(_record.c.id, case(*cases).label("fate")).where(_record.c.kind == kind).subquery("d")
        matching = (INCOMING.c.kind == kind, INCOMING.c.id == decided.c.id, decided.c.fate.is_not(None))
        yield update(INCOMING).where(*matching).values(fate=decided.c.fate)


def _here(table: Table, visible: Table | None = None) -> tuple[_Case, ...]:
    """Return the cases of records whose item is here, or listed as forgotten."""
    theirs = exists().where(
        table.c.id == _record.c.here,
        table.c.subject_id == _SUBJECT,
        table.c.generation == bindparam("generation"),
    )
    seen = (
        _PRESENT if visible is None else case((exists().where(visible.c.id == _record.c.here), _PRESENT), else_=_ERASED)
    )
    return (theirs, seen), (_record.c.forgotten, _ERASED)


def _gone(*also: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return whether a record's conversation was forgotten here, or meets another condition."""
    return exists().where(_ITS_CONVERSATION, or_(_conversation.c.fate == _ERASED, *also))


def _gone_before(place: str) -> ColumnElement[bool]:
    """Return whether a record's conversation was forgotten here, or its part with this seq."""
    return _gone(_number(place) <= _conversation.c.cleared)


def _number(member: str) -> ColumnElement[int]:
    return cast(_record.c.record[member].astext, BigInteger)


def _is_erased(kind: str, member: str) -> ColumnElement[bool]:
    """Return whether what a record refers to was erased here."""
    source = INCOMING.alias("s")
    id_ = cast(_record.c.record[member].astext, Uuid)
    return exists().where(source.c.kind == kind, source.c.fate == _ERASED, source.c.id == id_)


def _place_taken(table: Table, place: str) -> ColumnElement[bool]:
    """Return whether a row has a record's place in its conversation, which is here."""
    return exists().where(
        _ITS_CONVERSATION,
        _conversation.c.fate == _PRESENT,
        table.c.conversation_id == _conversation.c.here,
        table.c[place] == _number(place),
    )


_MESSAGE_ERASED: Final = exists().where(
    erased_messages.c.id == _record.c.here, erased_messages.c.subject_id == _SUBJECT
)
_MEMORY_ERASED: Final = exists().where(
    events.c.stream == literal("memory:").concat(cast(_record.c.here, Text)),
    events.c.type == "MemoryErased",
    events.c.subject_id == _SUBJECT,
)
_RECEIPT_HERE: Final = or_(
    *(
        exists().where(table.c.receipt_id == _record.c.id, table.c.subject_id == _SUBJECT)
        for table in (operations, imported_receipts)
    )
)
_IS_CONTINUED: Final = exists().where(_ITS_CONVERSATION, _conversation.c.fate == _PRESENT)
"""An existing conversation already has, or will get, its own summary."""

_FATES: Final[dict[str, tuple[_Case, ...]]] = {
    "conversation": _here(conversations, visible_conversations),
    "erased_conversation": _here(conversations),
    "message": (
        *_here(messages, visible_messages),
        (_MESSAGE_ERASED, _ERASED),
        (_gone_before("seq"), _ERASED),
        (_place_taken(messages, "seq"), _ERASED),
        (_place_taken(erased_messages, "seq"), _ERASED),
    ),
    "erased_message": (*_here(messages), *_here(erased_messages), (_gone(), _ERASED)),
    "named_message": (*_here(messages, visible_messages), (_MESSAGE_ERASED, _ERASED)),
    "summary": (
        *_here(summaries, visible_summaries),
        (_gone_before("covered_from"), _ERASED),
        (_IS_CONTINUED, _PRESENT),
    ),
    "episode": (
        *_here(episodes, visible_episodes),
        (_gone_before("first_seq"), _ERASED),
        (_is_erased("message", "user_message_id"), _ERASED),
        (_is_erased("message", "assistant_message_id"), _ERASED),
        (_place_taken(episodes, "turn"), _PRESENT),
    ),
    "feedback": (
        *_here(feedback, visible_feedback),
        (_gone_before("at_seq"), _ERASED),
        (_is_erased("message", "message_id"), _ERASED),
        (_is_erased("named_message", "message_id"), _ERASED),
    ),
    "preference_signal": (
        *_here(preference_signals, visible_preference_signals),
        (_gone_before("at_seq"), _ERASED),
        (_is_erased("feedback", "feedback_id"), _ERASED),
    ),
    "memory": (*_here(memories, visible_memories), (_MEMORY_ERASED, _ERASED)),
    "receipt": ((_RECEIPT_HERE, _PRESENT),),
}
"""By kind, in order of dependency."""


def _packed_fates() -> Iterator[tuple[str, tuple[_Case, ...]]]:
    """Yield the same for registered kinds."""
    for record, kind in items.packed_kinds().items():
        assert kind.in_packages is not None  # noqa: S101 # only such are in it
        gone = ((_is_erased(named, member), _ERASED) for member, named in kind.in_packages.refers_to.items())
        yield record, (*_here(kind.table, kind.visible), *gone)
