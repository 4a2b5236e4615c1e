"""Reads the parts of a context under the recall role: the person, memories, episodes with their turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, select

from shared.consent.rules.consents import restricted
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.consent.sql import consents
from shared.consent.sql.switches import NAMES
from shared.consent.sql.tables import visible_settings
from shared.conversations.sql.messages import Message, as_message
from shared.conversations.sql.tables import visible_conversations
from shared.kernel.database import Transaction
from shared.kernel.readers import Reader
from shared.recall.rules.state import Listed
from shared.recall.sql.retrieval import NOBODY, TALK, Talk, talk_in

_WHO: Final = select(bindparam("subject", type_=Uuid).label("id")).subquery("who")
_W: Final = visible_settings.c
_C: Final = visible_conversations.c
_ASKING: Final = (
    select(_W.subject_id.is_not(None).label("chosen"), *(_W[name] for name in NAMES))
    .add_columns(_C.id.is_not(None).label("theirs"), _C.project_id, *TALK)
    .select_from(_WHO)
    .outerjoin(visible_settings, _W.subject_id == _WHO.c.id)
    .outerjoin(visible_conversations, (_C.subject_id == _WHO.c.id) & (_C.id == bindparam("conversation")))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The person, their project and the conversation's speakers; `reader` is None if nothing was ever stored for
    them.
    """

    reader: Reader | None
    switches: Switches
    project_id: str | None = None
    conversation_is_theirs: bool = False
    talk: Talk = NOBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """A visible memory, with everything that decides whether an assistant is given it.

    Args:
        always: whether it was read as one for every context.
        disputed: whether an open contradiction with another memory may exist.
        cosine: of the nearest vector that found it, if any.
    """

    id: UUID
    text: str
    content_type: str
    scope: str
    project_id: str | None
    origin: str
    taboo: bool
    confirmed: bool
    disabled: bool
    archived: bool
    superseded: bool
    always: bool
    disputed: bool
    conversation_id: UUID | None
    task_hint: str | None
    said_at: datetime
    updated_at: datetime
    cosine: float | None
    importance: int
    level: str

    @property
    def usable(self) -> bool:
        return not (self.superseded or self.disabled or self.archived)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRival:
    """The other side of an open contradiction."""

    id: UUID
    confirmed: bool
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMoment:
    """A visible episode, with the messages of its turn."""

    id: UUID
    messages: tuple[Message, ...]


def asking(tx: Transaction, reader: Reader | None, conversation_id: UUID | None, *, terms: Terms) -> Asking:
    """Return the person and what they allow an assistant to be given."""
    if reader is None:
        return Asking(reader=None, switches=restricted(terms.defaults, None, terms))
    row = tx.row(_ASKING, subject=reader.subject_id, conversation=conversation_id)
    assert row is not None  # noqa: S101 # one row, whatever is joined to it
    chosen = Switches(**{name: row[name] for name in NAMES}) if row["chosen"] else terms.defaults
    consent = consents.current(tx, reader.subject_id) if terms.consent.covers_memories else None
    return Asking(
        reader=reader,
        switches=restricted(chosen, consent, terms),
        project_id=row["project_id"],
        conversation_is_theirs=row["theirs"],
        talk=talk_in(row),
    )


def memories(
    tx: Transaction,
    subject_id: UUID,
    cosines: Mapping[UUID, float],
    ids: Sequence[UUID],
    *,
    project_id: str | None,
    limit: int,
) -> Sequence[MemoryRow]:
    """Return the visible memories found by vector keys and ids, and those that belong in every context of a project.

    Global memories and the project's are returned, unusable ones too, because reasons are given for them. At most
    `limit` for every context are returned: usable ones first, safety first among them, then as `precedence` sorts
    (decision 9). They include everything that `why_stable` calls stable.

    Args:
        cosines: by vector key.
    """
    rows = tx.rows(
        """
        with hits as materialized (
          select v.item_id as id, max(h.cosine) as cosine
          from unnest(cast(:keys as uuid[]), cast(:cosines as float8[])) as h(key, cosine)
          join visible_vectors v on v.pk = h.key and v.item_kind = 'memory'
          group by 1
        ), always as materialized (
          select m.id from visible_memories m
          where m.subject_id = :subject and (m.taboo or m.content_type in ('preference', 'constraint'))
            and (m.scope = 'global' or m.project_id = cast(:project as text))
          order by (m.disabled or m.archived
              or exists (select from visible_memories newer where newer.supersedes = m.id)),
            m.taboo desc, m.confirmed desc, coalesce(array_position(array['stated', 'learned'], m.origin), 9),
            m.importance desc, coalesce(m.spoken_at, m.created_at) desc, m.id
          limit :limit
        ), wanted as materialized (
          select id from hits union select id from always union select unnest(cast(:ids as uuid[]))
        ), superseded as materialized (select superseded_among(array(select id from wanted)) as id)
        select m.id, m.text, m.content_type, m.scope, m.project_id, m.origin, m.taboo, m.confirmed, m.disabled,
               m.archived, m.conversation_id, m.task_hint, m.updated_at, m.importance, m.level, h.cosine,
               coalesce(m.spoken_at, m.created_at) as said_at,
               m.id in (select id from superseded) as superseded, m.id in (select id from always) as always,
               m.contradicts is not null
                 or exists (select from visible_memories newer where newer.contradicts = m.id) as disputed
        from visible_memories m left join hits h on h.id = m.id
        where m.subject_id = :subject and (m.scope = 'global' or m.project_id = cast(:project as text))
          and m.id = any(array(select id from wanted))
        """,
        subject=subject_id,
        keys=list(cosines),
        cosines=list(cosines.values()),
        ids=list(ids),
        project=project_id,
        limit=limit,
    )
    return [MemoryRow(**row) for row in rows]


def listed(tx: Transaction, subject_id: UUID, *, limit: int) -> tuple[list[Listed], bool]:
    """Return a person's newest memories of every project that no visible one supersedes, and whether older ones exist.

    Args:
        limit: how many memories are read.
    """
    rows = tx.rows(
        """
        with newest as materialized (
          select m.id, m.content_type, m.scope, m.project_id, m.disabled as paused, m.archived
          from visible_memories m
          where m.subject_id = :subject and m.method is distinct from 'document' order by m.id desc limit :limit
        ), superseded as materialized (select superseded_among(array(select id from newest)) as id)
        select n.*, n.id in (select id from superseded) as superseded from newest n order by n.id desc
        """,
        subject=subject_id,
        limit=limit + 1,
    )
    kept = [dict(row) for row in rows[:limit]]
    return [Listed(**row) for row in kept if not row.pop("superseded")], len(rows) > limit


def rivals(
    tx: Transaction, subject_id: UUID, ids: Sequence[UUID], *, project_id: str | None
) -> dict[UUID, list[StoredRival]]:
    """Return, for each memory, the usable memories that contradict it or that it contradicts."""
    if not ids:
        return {}
    rows = tx.rows(
        """
        with pairs as (
          select n.id as one, n.contradicts as other from visible_memories n
          where n.id = any(:ids) and n.contradicts is not null
          union
          select n.contradicts, n.id from visible_memories n where n.contradicts = any(:ids)
        )
        select pairs.one, m.id, m.confirmed, coalesce(m.spoken_at, m.created_at) as said_at
        from pairs join visible_memories m on m.id = pairs.other
        where m.subject_id = :subject and (m.scope = 'global' or m.project_id = cast(:project as text))
          and not m.disabled and not m.archived
          and m.id not in (select superseded_among(array(select other from pairs)))
        """,
        subject=subject_id,
        ids=list(ids),
        project=project_id,
    )
    found: dict[UUID, list[StoredRival]] = {}
    for row in rows:
        rival = StoredRival(id=row["id"], confirmed=row["confirmed"], said_at=row["said_at"])
        found.setdefault(row["one"], []).append(rival)
    return found


def in_fixed_order(tx: Transaction, subject: UUID, *, project_id: str | None, limit: int, most: int) -> list[UUID]:
    """Return the first usable memories of a project in the fixed order (CN-05).

    The limit does not count those that may belong in every context; `most` counts all. They are taken from the
    thousand newest of the project and of no project, so that the cost does not grow with the number of memories.
    """
    rows = tx.rows(
        """
        with usable as not materialized (
          select m.id, m.scope, m.project_id, m.content_type, m.created_at, m.updated_at,
                 m.taboo or m.content_type in ('preference', 'constraint') as always
          from visible_memories m
          where m.subject_id = :subject and not m.disabled and not m.archived and m.method is distinct from 'document'
            and not exists (select from visible_memories newer where newer.supersedes = m.id)
        ), newest as materialized (
          (select * from usable where scope = 'project' and project_id = cast(:project as text)
           order by created_at desc limit 1000)
          union all
          (select * from usable where scope = 'global' order by created_at desc limit 1000)
        ), numbered as (
          select id, row_number() over fixed as place, count(*) filter (where not always) over fixed as counted
          from newest m
          window fixed as (
            order by (m.scope = 'project') desc,
              coalesce(array_position(array['preference', 'fact', 'note'], m.content_type), 9), m.updated_at desc, m.id
          )
        )
        select id from numbered where counted <= :limit order by place limit :most
        """,
        subject=subject,
        project=project_id,
        limit=limit,
        most=most,
    )
    return [row["id"] for row in rows]


def moments_named(
    tx: Transaction, conversation_id: UUID, cited: Mapping[UUID, Sequence[UUID]]
) -> Sequence[StoredMoment]:
    """Return the cited visible messages of a conversation's visible episodes, in order (MC-04, X-08).

    Each table is read by key before the join, as in `retrieval`.

    Args:
        cited: message ids by episode.
    """
    if not cited:
        return []
    rows = tx.rows(
        """
        with seen as materialized (
          select id, conversation_id, turn from visible_episodes where id = any(:episodes)
        ), said as materialized (
          select id, conversation_id, seq, turn, session, role, completed, text, name, task_hint, client_message_id,
                 spoken_at, recorded_at, metadata
          from visible_messages where id = any(:messages) and completed and index_episode
        )
        select seen.id as episode_id, said.* from said join seen using (conversation_id, turn)
        where conversation_id = :conversation order by said.seq
        """,
        conversation=conversation_id,
        episodes=list(cited),
        messages=[one for several in cited.values() for one in several],
    )
    moments: dict[UUID, list[Message]] = {}
    for row in rows:
        moments.setdefault(row["episode_id"], []).append(as_message(row))
    return [StoredMoment(id=id_, messages=tuple(said)) for id_, said in moments.items()]
