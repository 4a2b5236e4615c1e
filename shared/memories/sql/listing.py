"""SQL for lists of memories: filtered, sorted, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Uuid,
    and_,
    bindparam,
    case,
    column,
    exists,
    literal,
    literal_column,
    select,
    table,
    tuple_,
)

from shared.conversations.sql.tables import visible_messages
from shared.kernel.database import Transaction
from shared.kernel.ids import MemoryId
from shared.kernel.metadata import Metadata
from shared.lineage.sql.tables import visible_lineage
from shared.memories.sql.memories import CONTRADICTED, LISTED, SUPERSEDED, Level, StoredMemory, Validity, as_memory
from shared.memories.sql.tables import visible_document_parts, visible_memories


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """A filter for memories; None matches any.

    Args:
        waiting: as `WAITING`.
        message_id, conversation_id: of one of their sources.
        metadata: they have all of these, with equal values.
        external_id: the one in force that another program calls this.
    """

    content_type: str | None = None  # None: any but the parts of documents, which are listed by document
    scope: str | None = None
    project_id: str | None = None
    origin: str | None = None
    validity: Validity | None = None
    archived: bool | None = None
    disabled: bool | None = None
    confirmed: bool | None = None
    taboo: bool | None = None
    waiting: bool | None = None
    task_hint: str | None = None
    level: Level | None = None
    message_id: UUID | None = None
    conversation_id: UUID | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    metadata: Metadata | None = None
    external_id: str | None = None


Order: TypeAlias = Literal["newest", "oldest", "importance"]
"""Sort order; memories of equal importance are sorted newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The position where a page ended: id and, if sorted by it, importance of a memory that may be gone."""

    id: UUID
    importance: int | None = None


_M: Final = visible_memories.c

VALIDITY: Final = case((SUPERSEDED, "superseded"), (CONTRADICTED, "contradicted"), else_="active")
WAITING: Final = and_(_M.origin != "stated", ~_M.confirmed, ~_M.disabled, ~_M.archived, ~SUPERSEDED)
"""The person neither stated it explicitly nor confirmed, paused or archived it."""
IS_PART: Final = exists().where(visible_document_parts.c.memory_id == _M.id)
"""It is a part of a document, and listed there."""

# Not parameters: the indexes cover these kinds only.
_OF_MEMORIES: Final = (
    select(visible_lineage.c.derived_id)
    .where(visible_lineage.c.derived_kind == literal_column("'memory'"))
    .where(~visible_lineage.c.context, visible_lineage.c.subject_id == bindparam("subject"))
)
_FROM_MESSAGES: Final = _OF_MEMORIES.join(visible_messages, visible_messages.c.id == visible_lineage.c.source_id).where(
    visible_lineage.c.source_kind == literal_column("'message'")
)
_SIGNALS: Final = table("visible_preference_signals", column("id"), column("feedback_id"))
_FEEDBACK: Final = table("visible_feedback", column("id"), column("message_id"))
_FROM_FEEDBACK: Final = (
    _OF_MEMORIES.join(_SIGNALS, _SIGNALS.c.id == visible_lineage.c.source_id)
    .join(_FEEDBACK, _FEEDBACK.c.id == _SIGNALS.c.feedback_id)
    .join(visible_messages, visible_messages.c.id == _FEEDBACK.c.message_id)
    .where(visible_lineage.c.source_kind == literal_column("'signal'"))
)
_EQUAL: Final[dict[str, ColumnElement[Any]]] = {
    **{name: _M[name] for name in ("content_type", "scope", "project_id", "origin", "task_hint")},
    **{name: _M[name] for name in ("archived", "disabled", "confirmed")},
    "validity": VALIDITY,
    "waiting": WAITING,
}
_ORDERS: Final[dict[Order, tuple[ColumnElement[Any], ...]]] = {
    "newest": (_M.id.desc(),),
    "oldest": (_M.id,),
    "importance": (_M.importance.desc(), _M.id.desc()),
}


def page(
    tx: Transaction,
    subject_id: UUID,
    wanted: MemoryFilter,
    *,
    after: Place | None,
    limit: int,
    order: Order = "newest",
) -> Sequence[StoredMemory]:
    """Return a page of visible memories after a position."""
    found = LISTED.where(*_conditions(wanted)).order_by(*_ORDERS[order]).limit(limit)
    if after is not None:
        found = found.where(_is_after(after, order))
    return [as_memory(row) for row in tx.rows(found, subject=subject_id)]


def ids_of(tx: Transaction, subject_id: UUID, wanted: MemoryFilter, *, limit: int) -> list[MemoryId]:
    """Return the ids of up to `limit` visible memories, newest first."""
    found = select(_M.id).where(_M.subject_id == bindparam("subject"), *_conditions(wanted))
    return [row["id"] for row in tx.rows(found.order_by(_M.id.desc()).limit(limit), subject=subject_id)]


def beside_facets(wanted: MemoryFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of the filters that memories are not counted by."""
    for name in ("level", "taboo"):
        if (only := getattr(wanted, name)) is not None:
            yield _M[name] == only
    if wanted.metadata:  # all memories have all members of an empty one
        yield _M.metadata.contains(wanted.metadata)
    if wanted.external_id is not None:
        yield (_M.external_id == wanted.external_id) & ~SUPERSEDED


def _conditions(wanted: MemoryFilter) -> Iterator[ColumnElement[bool]]:
    yield from beside_facets(wanted)
    for name, value in _EQUAL.items():
        if (only := getattr(wanted, name)) is not None:
            yield value == only
    if wanted.content_type is None:
        yield ~IS_PART
    if wanted.message_id is not None:
        yield _comes_from(visible_messages.c.id == wanted.message_id)
    if wanted.conversation_id is not None:
        yield _comes_from(visible_messages.c.conversation_id == wanted.conversation_id)
    if wanted.created_after is not None:
        yield _M.created_at >= wanted.created_after
    if wanted.created_before is not None:
        yield _M.created_at < wanted.created_before


def _comes_from(said: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return whether a memory was learned from one of these messages, or from feedback on it."""
    return _M.id.in_(_FROM_MESSAGES.where(said).union_all(_FROM_FEEDBACK.where(said)))


def _is_after(place: Place, order: Order) -> ColumnElement[bool]:
    if order == "importance":
        return tuple_(_M.importance, _M.id) < tuple_(literal(place.importance, Integer), literal(place.id, Uuid))
    return _M.id > place.id if order == "oldest" else _M.id < place.id
