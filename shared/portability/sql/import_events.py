"""Writes the events of imported items and queues their work in other stores (X-09).

Events are written last: they get their positions when written, and must commit soon after
(`shared.outbox.sql.changes`).
"""

from __future__ import annotations

from typing import Final

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import INDEX_EPISODE, LEARN_MEMORY, MEMORY_INDEX, SUMMARY_ROLL

_LIVED: Final = """
  insert into events (stream, version, type, data, actor, at, subject_id, generation)
  select e.kind || ':' || i.here, e.version, e.type,
         case when cast(:renamed as boolean) then (
           select coalesce(jsonb_object_agg(d.key, coalesce(to_jsonb(x.here), d.value)), '{}')
           from jsonb_each(e.data) as d left join incoming x
             on x.kind = case when d.key in ('supersedes', 'contradicts') then 'memory'
                              when d.key = 'signal_id' then 'preference_signal'
                              when d.key in ('message_id', 'conversation_id', 'feedback_id') then left(d.key, -3) end
            and x.id = case when d.key in ('supersedes', 'contradicts', 'signal_id', 'message_id', 'conversation_id',
                                           'feedback_id') then (d.value #>> '{}')::uuid end
         ) else e.data end,
         e.actor, e.at, :subject, :generation
  from incoming_events e join incoming i on i.kind = e.kind and i.id = e.item_id and i.fate is null
  order by e.kind, e.item_id, e.version
"""
"""The events in the package, with local ids."""

_RECORDED: Final = """
  insert into events (stream, version, type, data, actor, at, subject_id, generation)
  select 'conversation:' || c.here,
         coalesce((select max(e.version) from events e where e.stream = 'conversation:' || c.here), 0)
           + row_number() over (partition by c.here order by n.seq),
         n.type, n.data, :actor, n.at, :subject, :generation
  from (
    select i.id as conversation, 0 as seq, 'ConversationCreated' as type,
           jsonb_build_object('project_id', i.record -> 'project_id') as data,
           (i.record ->> 'created_at')::timestamptz as at
    from incoming i where i.kind = 'conversation' and i.fate is null
    union all
    select i.conversation_id, (i.record ->> 'seq')::bigint, 'MessageRecorded', jsonb_build_object(
             'message_id', i.here, 'seq', i.record -> 'seq', 'turn', i.record -> 'turn',
             'session', i.record -> 'session', 'role', i.record -> 'role', 'completed', i.record -> 'completed',
             'spoken_at', i.record -> 'spoken_at'), (i.record ->> 'recorded_at')::timestamptz
    from incoming i where i.kind = 'message' and i.fate is null
  ) as n join incoming c on c.kind = 'conversation' and c.id = n.conversation
  where c.fate is not null
     or not exists (select from incoming_events e where e.kind = 'conversation' and e.item_id = c.id)
"""
"""Events for existing conversations that got new messages, and for conversations without a history in the package."""

_REPOINTED: Final = """
  with moved as (
    update memories m set version = m.version + 1
    from incoming i left join incoming_references before
      on before.kind = 'memory' and before.id = (i.lived ->> 'supersedes')::uuid
    where i.kind = 'memory' and i.fate is null and m.id = i.here and m.supersedes is distinct from before.here
    returning m.id, m.version, m.supersedes
  )
  insert into events (stream, version, type, data, actor, subject_id, generation)
  select 'memory:' || id, version, 'MemoryRepointed', jsonb_build_object('supersedes', supersedes), :actor, :subject,
         :generation
  from moved
"""
"""For memories whose predecessor was not imported."""


def tell(tx: Transaction, subject: Subject, *, renamed: bool, actor: str) -> None:
    """Write the events of imported items from the package.

    Args:
        renamed: whether some items got other ids.
        actor: author of events the package lacks.
    """
    whose = {"subject": subject.id, "generation": subject.generation}
    tx.run(_LIVED, renamed=renamed, **whose)
    tx.run(_RECORDED, actor=actor, **whose)
    tx.run(_REPOINTED, actor=actor, **whose)


def has_settings_history(tx: Transaction) -> bool:
    """Return whether the package contains the history of the settings."""
    found: bool = tx.value("select exists (select from incoming_events where kind = 'settings')")
    return found


AT_ONCE: Final = 400
"""Rows of an import that are due at once; see `queue`."""

_EPISODES: Final = """
  insert into outbox (subject_id, kind, payload, dedupe_key, available_at)
  select :subject, :index_episode, jsonb_build_object('conversation_id', t.conversation_id, 'turn', t.turn,
           'message_ids', t.ids, 'again', true), t.conversation_id || ':' || t.turn || '\\:True',
         now() + make_interval(secs => 10 * greatest(0, (row_number() over (order by t.conversation_id, t.turn)
           - :at_once) / 100))
  from (
    select e.conversation_id, e.turn, jsonb_agg(m.id order by m.seq) as ids
    from incoming i join episodes e on e.id = i.here
    join lineage l on l.derived_kind = 'episode' and l.derived_id = e.id and l.source_kind = 'message'
    join messages m on m.id = l.source_id
    where i.kind = 'episode' and i.fate is null group by e.conversation_id, e.turn
  ) as t
  on conflict (kind, dedupe_key) where state = 'ready' do nothing
"""
_MEMORIES: Final = """
  insert into outbox (subject_id, kind, payload, dedupe_key, available_at)
  select :subject, :memory_index, jsonb_build_object('memory_id', i.here), i.here::text,
         now() + make_interval(secs => 10 * greatest(0, (row_number() over (order by i.here desc) - :at_once) / 100))
  from incoming i where i.kind = 'memory' and i.fate is null
  on conflict (kind, dedupe_key) where state = 'ready' do nothing
"""
_TURNS: Final = """
  insert into outbox (subject_id, kind, payload, dedupe_key, available_at)
  select :subject, k.kind, jsonb_build_object('conversation_id', t.conversation_id, 'turn', t.turn,
           'message_ids', t.ids, 'again', false), t.conversation_id || ':' || t.turn || '\\:False',
         now() + make_interval(secs => 10 * greatest(0, (row_number() over (order by t.conversation_id, t.turn, k.kind)
           - :at_once) / 100))
  from (
    select m.conversation_id, m.turn, jsonb_agg(m.id order by m.seq) as ids,
           bool_and(m.index_episode) as index_episode, bool_and(m.learn) as learn
    from (
      select distinct m.conversation_id, m.turn from incoming i join messages m on m.id = i.here
      where i.kind = 'message' and i.fate is null
    ) as n
    join messages m on m.conversation_id = n.conversation_id and m.turn = n.turn and m.completed
    group by m.conversation_id, m.turn
  ) as t
  join (values (cast(:index_episode as text)), (:learn_memory)) as k(kind)
    on case k.kind when :learn_memory then t.learn else t.index_episode end
      and not exists (
        select from erased_messages e where e.conversation_id = t.conversation_id and e.turn = t.turn)
  on conflict (kind, dedupe_key) where state = 'ready' do nothing
"""
_SUMMARIES: Final = """
  insert into outbox (subject_id, kind, payload, dedupe_key)
  select :subject, :summary_roll, jsonb_build_object('conversation_id', i.here, 'again', false), i.here || '\\:False'
  from incoming i where i.kind = 'conversation' and i.fate is null
  on conflict (kind, dedupe_key) where state = 'ready' do nothing
"""


def queue(tx: Transaction, subject: Subject, *, derive: bool) -> None:
    """Queue writing the imported items to other stores.

    Of very many the first are due at once and the rest little by little (a hundred of each kind in ten seconds), so
    that what other people wait for is not behind all of them.

    Args:
        derive: also queue learning and summaries of the turns; needed for exports of other products.
    """
    kinds = {"index_episode": INDEX_EPISODE, "at_once": AT_ONCE}
    tx.run(_EPISODES, subject=subject.id, **kinds)
    tx.run(_MEMORIES, subject=subject.id, memory_index=MEMORY_INDEX, at_once=AT_ONCE)
    if derive:
        tx.run(_TURNS, subject=subject.id, learn_memory=LEARN_MEMORY, **kinds)
        tx.run(_SUMMARIES, subject=subject.id, summary_roll=SUMMARY_ROLL)
    tx.queued = True
