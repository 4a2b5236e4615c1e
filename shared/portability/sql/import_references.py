"""The local ids of what imported records refer to, in `incoming_references` (X-09)."""

from __future__ import annotations

from typing import Final

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

_REFERENCES: Final = """
  insert into incoming_references (kind, id, here)
  select r.kind, r.id, coalesce(
           (select x.here from incoming x
            where x.kind in (r.kind, 'erased_' || r.kind, 'named_' || r.kind) and x.id = r.id limit 1),
           case when not exists (
             select from conversations o where r.kind = 'conversation' and o.id = r.id and o.subject_id <> :subject
             union all
             select from messages o where r.kind = 'message' and o.id = r.id and o.subject_id <> :subject
             union all
             select from feedback o where r.kind = 'feedback' and o.id = r.id and o.subject_id <> :subject
             union all
             select from memories o where r.kind = 'memory' and o.id = r.id and o.subject_id <> :subject
           ) then r.id end)
  from (
    select 'conversation' as kind, i.conversation_id as id from incoming i
    union
    select 'conversation', (i.lived ->> 'conversation_id')::uuid from incoming i where i.kind = 'memory'
    union
    select 'message', m.id::uuid
    from incoming i cross join lateral (
      values (i.record ->> 'user_message_id'), (i.record ->> 'assistant_message_id')) as m(id)
    where i.kind = 'episode'
    union
    select 'message', (i.record ->> 'message_id')::uuid from incoming i where i.kind = 'feedback'
    union
    select 'feedback', (i.record ->> 'feedback_id')::uuid from incoming i where i.kind = 'preference_signal'
    union
    select 'memory', m.id::uuid
    from incoming i cross join lateral (values (i.lived ->> 'supersedes'), (i.lived ->> 'contradicts')) as m(id)
    where i.kind = 'memory'
  ) as r
  where r.id is not null
"""
"""By kind of item: outside the package the same id, or null if the item is another person's.

Knowing the id of another person's item must not give access to it.
"""

_PREDECESSORS: Final = """
  insert into incoming_references (kind, id, here)
  with recursive bridges(step, id, next, moved) as (
    select 0, i.id, (i.record ->> 'supersedes_id')::uuid, true from incoming i
    where i.kind = 'memory' and i.fate is not null and i.fate <> 'present'
    union all
    select n.step + 1, n.id, n.next, n.moved from (
      select b.step, b.id, a.asks, first_value(b.next) over w as next, not first_value(a.asks) over w as moved,
             bool_or(b.moved) over () as goes_on
      from bridges b cross join (values (false), (true)) as a(asks)
      window w as (partition by case when a.asks then b.next else b.id end order by a.asks)
    ) as n where n.asks and n.goes_on and n.step < 32
  )
  select 'predecessor', i.id, x.here from incoming i
  left join bridges b on b.id = (i.record ->> 'supersedes_id')::uuid and b.step = (select max(step) from bridges)
  join incoming x on x.kind = 'memory' and (x.fate is null or x.fate = 'present')
    and x.id = case when b.id is null then (i.record ->> 'supersedes_id')::uuid else b.next end
  where i.kind = 'memory' and i.fate is null
"""
"""What each memory supersedes; memories that are not imported are bridged, like erased ones (0012).

Every step doubles the length of the bridges by joining each with the one that starts at its end. A chain of any length
takes few steps, and each memory stays one row.
"""


def resolve(tx: Transaction, subject: Subject) -> None:
    """Find the local ids, once for all records; call it when their fates are decided."""
    tx.run(_REFERENCES, subject=subject.id)
    tx.run(_PREDECESSORS)
    tx.run("analyze incoming_references")
