"""Reads memories for a package, what everything was derived from, and the histories of items; only what is visible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Text, Uuid, and_, any_, bindparam, case, cast, exists, func, or_, select

from shared.conversations.sql.tables import visible_conversations
from shared.kernel import items
from shared.kernel.database import Row, Transaction
from shared.kernel.event_log import stream_name
from shared.kernel.tables import events
from shared.lineage.sql.tables import visible_lineage
from shared.memories.sql.tables import visible_memories

_MEMORIES: Final = """
  select m.id, m.text as content, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo, m.disabled,
         m.confirmed, m.id in (select superseded_memories(:subject)) as superseded,
         exists (select from visible_memories newer where newer.contradicts = m.id and newer.subject_id = :subject
                 and newer.id not in (select superseded_memories(:subject))) as contradicted,
         m.archived, (
           with recursive before(id, place) as (
             select m.supersedes, 0
             union
             select b.supersedes, place + 1 from before join memories b on b.id = before.id
             where not exists (select from visible_memories v where v.id = before.id)
           )
           select v.id from before join visible_memories v on v.id = before.id order by place limit 1
         ) as supersedes_id,
         (select older.id from visible_memories older where older.id = m.contradicts) as contradicts_id,
         m.conversation_id, m.spoken_at, m.method, m.task_hint, m.emotion, m.metadata, m.external_id, m.level,
         m.version, m.last_supported_at, m.created_at, m.updated_at
  from visible_memories m
  where m.subject_id = :subject and (cast(:ids as uuid[]) is null or m.id = any(:ids)) order by m.id
"""
"""`supersedes_id`: the memory that one supersedes once hidden ones in between are erased."""


def memories(tx: Transaction, subject_id: UUID, ids: Sequence[UUID] | None = None) -> Iterator[Row]:
    """Yield a person's memories, or some of them, oldest first."""
    return tx.stream(_MEMORIES, subject=subject_id, ids=list(ids) if ids is not None else None)


def _is_visible(kind: ColumnElement[str], item: ColumnElement[UUID]) -> ColumnElement[bool]:
    views = ((one.name, one.visible) for one in items.kinds() if one.in_lineage and one.visible is not None)
    return or_(*(and_(kind == name, exists().where(view.c.id == item)) for name, view in views))


def lineage(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield every lineage edge between two visible items."""
    edge = visible_lineage.c
    return tx.stream(
        select(
            edge.derived_kind,
            edge.derived_id,
            edge.source_kind,
            edge.source_id,
            edge.edge,
            edge.quote_start,
            edge.quote_end,
            edge.context,
        )
        .where(
            edge.subject_id == subject_id,
            _is_visible(edge.derived_kind, edge.derived_id),
            _is_visible(edge.source_kind, edge.source_id),
        )
        .order_by(edge.derived_kind, edge.derived_id, edge.source_kind, edge.source_id)
    )


_HAPPENED: Final = select(
    func.split_part(events.c.stream, ":", 1).label("kind"),
    case((events.c.stream.not_like("settings:%"), cast(func.split_part(events.c.stream, ":", 2), Uuid))).label(
        "item_id"
    ),
    events.c.version,
    events.c.type,
    events.c.data,
    events.c.actor,
    events.c.at,
).where(events.c.subject_id == bindparam("subject"))
"""Settings have no item id; the package belongs to one person."""
_HAPPENED_TO: Final = _HAPPENED.where(events.c.stream == any_(bindparam("streams", type_=ARRAY(Text)))).order_by(
    "item_id", events.c.version
)


def history(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield the events of a person's settings, visible memories and visible conversations."""
    happened = _HAPPENED.subquery("h")
    kind, item_id = happened.c.kind, happened.c.item_id
    shown = or_(
        kind == "settings",
        and_(kind == "memory", exists().where(visible_memories.c.id == item_id)),
        and_(kind == "conversation", exists().where(visible_conversations.c.id == item_id)),
    )
    return tx.stream(select(*happened.c).where(shown).order_by(kind, item_id, happened.c.version), subject=subject_id)


def history_of(tx: Transaction, subject_id: UUID, kind: str, ids: Sequence[UUID]) -> Iterator[Row]:
    """Yield the events of some items of a kind."""
    return tx.stream(_HAPPENED_TO, subject=subject_id, streams=[stream_name(kind, one) for one in ids])
