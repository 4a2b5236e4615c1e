"""Reads all visible messages and memories of a person in bounded pages, for callers that must check everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedStatement:
    """A visible memory; `said_at` is when the person said it, `title` that of the document it is a part of."""

    id: UUID
    text: str
    task_hint: str | None
    title: str | None
    content_type: str
    version: int
    said_at: datetime
    metadata: Metadata | None = None
    external_id: str | None = None

    @property
    def labels(self) -> list[str]:
        """What stands beside its words: title, task, and what another program keeps with it."""
        return [one for one in (self.title, self.task_hint, self.external_id, *_members(self.metadata)) if one]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidStatement:
    """A visible message."""

    id: UUID
    conversation_id: UUID
    seq: int
    turn: int
    role: str
    completed: bool
    text: str
    name: str | None
    task_hint: str | None
    spoken_at: datetime
    metadata: Metadata | None = None

    @property
    def labels(self) -> list[str]:
        """What stands beside its words: who said it, the task, and what another program keeps with it."""
        return [one for one in (self.name, self.task_hint, *_members(self.metadata)) if one]


def _members(metadata: Metadata | None) -> list[str]:
    return [f"{key}: {value}" for key, value in (metadata or {}).items()]


def remembered(
    tx: Transaction, subject_id: UUID, *, project_id: str | None, before: UUID | None, limit: int
) -> list[RememberedStatement]:
    """Return visible memories, newest first, including archived, paused and superseded ones.

    Args:
        project_id: only memories of this project; None for all.
        before: the last id of the previous page.
    """
    rows = tx.rows(
        """
        select m.id, m.text, m.task_hint, p.title, m.content_type, m.version, m.metadata, m.external_id,
               coalesce(m.spoken_at, m.created_at) as said_at
        from visible_memories m
        left join lateral (select title from visible_document_parts where memory_id = m.id offset 0) p on true
        where m.subject_id = :subject and (cast(:project as text) is null or m.project_id = :project)
          and (cast(:before as uuid) is null or m.id < :before)
        order by m.id desc limit :limit
        """,
        subject=subject_id,
        project=project_id,
        before=before,
        limit=limit,
    )
    return [RememberedStatement(**row) for row in rows]


def behind_vectors(
    tx: Transaction, subject_id: UUID, keys: Sequence[UUID], *, project_id: str | None
) -> list[RememberedStatement]:
    """Return the visible memories of vector keys, in the order of the keys."""
    rows = tx.rows(
        """
        select m.id, m.text, m.task_hint, p.title, m.content_type, m.version, m.metadata, m.external_id,
               coalesce(m.spoken_at, m.created_at) as said_at
        from unnest(cast(:keys as uuid[])) with ordinality as h(key, place)
        join visible_vectors v on v.pk = h.key and v.item_kind = 'memory'
        join visible_memories m on m.id = v.item_id
        left join lateral (select title from visible_document_parts where memory_id = m.id offset 0) p on true
        where m.subject_id = :subject and (cast(:project as text) is null or m.project_id = :project)
        order by h.place
        """,
        subject=subject_id,
        keys=list(keys),
        project=project_id,
    )
    return list({row["id"]: RememberedStatement(**row) for row in rows}.values())


def quoted(
    tx: Transaction, memory_ids: Sequence[UUID], *, project_id: str | None
) -> list[tuple[UUID, int, int, SaidStatement]]:
    """Return the quotes of memories: memory, start, end, and the visible message quoted."""
    rows = tx.rows(
        """
        select l.derived_id as memory_id, l.quote_start, l.quote_end,
               m.id, m.conversation_id, m.seq, m.turn, m.role, m.completed, m.text, m.name, m.task_hint, m.spoken_at,
               m.metadata
        from visible_lineage l join visible_messages m on m.id = l.source_id
        join visible_conversations c on c.id = m.conversation_id
        where l.derived_kind = 'memory' and l.derived_id = any(cast(:ids as uuid[])) and l.source_kind = 'message'
          and not l.context and l.quote_start is not null
          and (cast(:project as text) is null or c.project_id = :project)
        order by m.conversation_id, m.seq
        """,
        ids=list(memory_ids),
        project=project_id,
    )
    found = []
    for row in rows:
        values = dict(row)
        memory, start, end = values.pop("memory_id"), values.pop("quote_start"), values.pop("quote_end")
        found.append((memory, start, end, SaidStatement(**values)))
    return found


def conversations(
    tx: Transaction, subject_id: UUID, *, project_id: str | None, before: UUID | None, limit: int
) -> list[UUID]:
    """Return visible conversations, newest first; arguments as for `remembered`."""
    rows = tx.rows(
        """
        select id from visible_conversations
        where subject_id = :subject and (cast(:project as text) is null or project_id = :project)
          and (cast(:before as uuid) is null or id < :before)
        order by id desc limit :limit
        """,
        subject=subject_id,
        project=project_id,
        before=before,
        limit=limit,
    )
    return [row["id"] for row in rows]


def said(tx: Transaction, conversation_id: UUID, *, after: int, limit: int) -> list[SaidStatement]:
    """Return the visible messages of a conversation after a seq, in order, without system messages."""
    rows = tx.rows(
        """
        select id, conversation_id, seq, turn, role, completed, text, name, task_hint, spoken_at, metadata
        from visible_messages
        where conversation_id = :conversation and seq > :after and role <> 'system'
        order by seq limit :limit
        """,
        conversation=conversation_id,
        after=after,
        limit=limit,
    )
    return [SaidStatement(**row) for row in rows]
