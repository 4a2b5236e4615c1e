"""Temporary tables with the records of a package (X-09).

They are private to one transaction and dropped at its end. `here` is the record's id in this installation, `forgotten`
whether the ledger lists it as forgotten, `taken_by` the forget of everything that erased it, and `fate` the decision of
`shared.portability.sql.import_resolution` (null: create). `incoming_references` has the local ids of what records
refer to (`shared.portability.sql.import_references`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, Text, Uuid, column, table
from sqlalchemy.dialects.postgresql import JSONB

from shared.kernel.database import Transaction
from shared.kernel.items import kinds
from shared.portability.rules.imports import Fate

INCOMING: Final = table(
    "incoming",
    *(column(name, Text) for name in ("kind", "fate")),
    *(column(name, Uuid) for name in ("id", "conversation_id", "here")),
    column("record", JSONB),
    column("cleared", BigInteger),
    column("forgotten", Boolean),
)
"""What Core statements use of that table."""

_CREATE: Final = (
    """
    create temp table incoming (
      kind text not null, id uuid not null, conversation_id uuid, record jsonb not null, here uuid not null,
      withheld boolean not null, lived jsonb, cleared bigint, forgotten boolean not null default false,
      never_learn jsonb not null default '[]', taken_by uuid, fate text, primary key (kind, id)
    ) on commit drop
    """,
    """
    create temp table incoming_edges (
      derived_kind text, derived_id uuid, source_kind text, source_id uuid, edge text, quote_start integer,
      quote_end integer, context boolean, primary key (derived_kind, derived_id, source_kind, source_id)
    ) on commit drop
    """,
    """
    create temp table incoming_events (
      kind text, item_id uuid, version integer, type text, data jsonb, actor text, at timestamptz,
      primary key (kind, item_id, version)
    ) on commit drop
    """,
    "create temp table incoming_references (kind text, id uuid, here uuid, primary key (kind, id)) on commit drop",
    # No statistics on content, because samples would remain in the catalog and the write-ahead log.
    "alter table incoming alter record set statistics 0, alter lived set statistics 0",
    "alter table incoming_events alter data set statistics 0, alter actor set statistics 0",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A record with an id; `withheld` if its text must not be stored."""

    id: UUID
    conversation_id: UUID | None
    record: Mapping[str, Any]
    withheld: bool = False


def create(tx: Transaction) -> None:
    """Create the tables."""
    for statement in _CREATE:
        tx.run(statement)


def add(tx: Transaction, kind: str, things: Sequence[Thing]) -> None:
    """Stage records of a kind."""
    tx.run(
        """
        insert into incoming (kind, id, conversation_id, record, here, withheld)
        select :kind, id, conversation_id, record, id, withheld
        from jsonb_to_recordset(:things) as t(id uuid, conversation_id uuid, record jsonb, withheld boolean)
        on conflict do nothing
        """,
        kind=kind,
        things=json.dumps(
            [
                {
                    "id": str(one.id),
                    "conversation_id": str(one.conversation_id) if one.conversation_id else None,
                    "record": one.record,
                    "withheld": one.withheld,
                }
                for one in things
            ]
        ),
    )


def add_edges(tx: Transaction, edges: Sequence[Mapping[str, Any]]) -> None:
    """Stage lineage edges."""
    records = {kind.name: kind.record for kind in kinds()}
    named = [
        {**edge, **{end: records.get(edge[end]) or edge[end] for end in ("derived_kind", "source_kind")}}
        for edge in edges
    ]
    tx.run(
        """
        insert into incoming_edges
        select * from jsonb_to_recordset(:edges) as e(derived_kind text, derived_id uuid, source_kind text,
          source_id uuid, edge text, quote_start integer, quote_end integer, context boolean)
        on conflict do nothing
        """,
        edges=json.dumps(named),
    )


def add_events(tx: Transaction, events: Sequence[Mapping[str, Any]], *, settings_id: UUID) -> None:
    """Stage events.

    Args:
        settings_id: id of the settings, which have none in a package.
    """
    tx.run(
        """
        insert into incoming_events
        select kind, coalesce(item_id, :settings_id), version, type, data, actor, at
        from jsonb_to_recordset(:events) as e(kind text, item_id uuid, version integer, type text, data jsonb,
          actor text, at timestamptz)
        """,
        events=json.dumps(events),
        settings_id=settings_id,
    )


def set_lives(tx: Transaction, lives: Mapping[UUID, Mapping[str, Any]]) -> None:
    """Store the memories folded from their events."""
    tx.run(
        """
        update incoming i set lived = l.life
        from jsonb_to_recordset(:lives) as l(id uuid, life jsonb) where i.kind = 'memory' and i.id = l.id
        """,
        lives=json.dumps([{"id": str(id_), "life": life} for id_, life in lives.items()], default=str),
    )


def without_history(tx: Transaction) -> Iterator[Mapping[str, Any]]:
    """Yield the memories without a history in the package, as of the first; `complete` needs all to have been read."""
    untold = tx.stream("select record from incoming where kind = 'memory' and lived is null order by id")
    return (row["record"] for row in untold)


def settings(tx: Transaction) -> Mapping[str, Any] | None:
    """Return the staged settings, if the package has any."""
    row = tx.row("select record from incoming where kind = 'settings'")
    return row["record"] if row else None


def set_fate(tx: Transaction, kind: str, fate: Fate) -> None:
    """Set the fate of all records of a kind."""
    tx.run("update incoming set fate = :fate where kind = :kind", kind=kind, fate=fate)


_IMPLIED: Final = """
  with untold as not materialized (
    select i.kind, i.id, i.conversation_id, i.record from incoming i
    where not exists (select from incoming_edges e where e.derived_kind = i.kind and e.derived_id = i.id)
  )
  insert into incoming_edges
  select d.kind, d.id, d.source_kind, d.source_id, 'text_from', d.quote_start, d.quote_end, false
  from (
    select u.kind, u.id, 'message' as source_kind, m.id as source_id, cast(null as integer) as quote_start,
           cast(null as integer) as quote_end
    from untold u join incoming m on m.kind = 'message' and m.conversation_id = u.conversation_id
      and m.record -> 'turn' = u.record -> 'turn'
    where u.kind = 'episode'
    union all
    select u.kind, u.id, 'message', m.id, null, null
    from untold u join incoming m on m.kind = 'message' and m.conversation_id = u.conversation_id
      and (m.record ->> 'seq')::bigint between (u.record ->> 'covered_from')::bigint
        and (u.record ->> 'covered_through')::bigint
    where u.kind = 'summary'
    union all
    select u.kind, u.id, 'message', (u.record ->> 'message_id')::uuid, null, null
    from untold u where u.kind = 'feedback'
    union all
    select u.kind, u.id, 'feedback', (u.record ->> 'feedback_id')::uuid, null, null
    from untold u where u.kind = 'preference_signal'
    union all
    select u.kind, u.id, s.kind, s.id, null, null
    from untold u cross join lateral (values ('message', (u.record ->> 'message_id')::uuid),
      ('memory', (u.record ->> 'memory_id')::uuid), ('feedback', (u.record ->> 'feedback_id')::uuid)) as s(kind, id)
    where u.kind = 'observation'
    union all
    select 'memory', part::uuid, i.kind, i.id, null, null
    from incoming i cross join lateral jsonb_array_elements_text(i.record -> 'parts') as p(part)
    where i.kind = 'document'
    union all
    select u.kind, u.id, 'message', p.message_id, p.quote_start, p.quote_end
    from untold u cross join lateral jsonb_to_recordset(u.record -> 'provenance') as p(message_id uuid,
      quote_start integer, quote_end integer)
    where u.kind = 'memory'
  ) as d left join incoming s on s.kind = d.source_kind and s.id = d.source_id
  where s.id is not null or (d.kind = 'memory' and d.source_kind = 'message')  -- it may be here already
  on conflict do nothing
"""
"""Adds lineage the package lacks, because a forget must find everything derived from its target.

`not materialized`: each kind reads the records of its own only, by index.
"""


def complete(tx: Transaction) -> None:
    """Finish staging: add lineage, and conversations that only their messages name."""
    tx.run(
        """
        insert into incoming (kind, id, record, here, withheld)
        select 'conversation', m.conversation_id, jsonb_build_object(
            'remember', true, 'session', max((m.record ->> 'session')::integer), 'turn_open', false,
            'next_seq', max((m.record ->> 'seq')::bigint) + 1, 'turn', max((m.record ->> 'turn')::bigint),
            'turn_has_user', false, 'cleared_through', 0, 'summary_version', 0,
            'created_at', min(m.record ->> 'recorded_at'), 'updated_at', max(m.record ->> 'recorded_at'),
            'named_only', true),
          m.conversation_id, false
        from incoming m
        where m.kind = 'message'
          and not exists (select from incoming c where c.kind = 'conversation' and c.id = m.conversation_id)
        group by m.conversation_id
        """
    )
    tx.run("create index on incoming (conversation_id)")
    tx.run("create index on incoming_edges (source_kind, source_id)")
    tx.run("analyze incoming, incoming_edges, incoming_events")
    tx.run(_IMPLIED)
