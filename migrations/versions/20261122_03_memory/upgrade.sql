-- The rest of a memory's life: an open contradiction, the archive, how it came to be, when it was last said again.
alter table memories
  add column contradicts uuid,            -- an older unit it may contradict; its person decides
  add column archived boolean not null default false,
  add column method text,                 -- rules, model:<name>, person, feedback, import
  add column last_supported_at timestamptz;
create index memories_by_contradicted on memories (contradicts) where contradicts is not null;
create index memories_by_age on memories (created_at) where not archived;
create index memories_by_time on memories (subject_id, created_at);
create index memories_superseding on memories (subject_id) where supersedes is not null;

-- "Do not remember this": what is recorded meanwhile stays in the window, and nothing is made of it.
alter table conversations add column remember boolean not null default true;
create or replace view visible_conversations as
  select c.id, c.subject_id, c.generation, c.project_id, c.next_seq, c.session, c.cleared_through, c.created_at,
         c.updated_at, t.title, c.remember
  from conversations c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  left join conversation_contents t on t.conversation_id = c.id and t.at_seq > c.cleared_through
  where c.erased_at is null
    and not exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id);

-- How a summary was made, and how often: the count goes on whatever is forgotten.
alter table summaries add column method text not null default 'extractive';  -- or model:<name>
alter table conversations add column summary_version integer not null default 0;
create or replace view visible_summaries as
  select y.id, y.subject_id, y.generation, y.conversation_id, y.version, y.covered_from, y.covered_through,
         y.covered_message_count, y.updated_at, t.text, y.method
  from summaries y
  join visible_conversations c on c.id = y.conversation_id and y.covered_from > c.cleared_through
  join summary_contents t on t.summary_id = y.id
  where y.generation = c.generation
    and not exists (select from hides h where h.kind = 'summary' and h.item_id = y.id);

drop view visible_vectors, visible_memories;
drop function superseded_memories(uuid);

create view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);

create function superseded_memories(of_subject uuid) returns table (id uuid)
  language sql stable security definer set search_path = public
as $$
  with recursive reached(id) as (
    select m.supersedes from visible_memories m where m.subject_id = of_subject and m.supersedes is not null
    union
    select b.supersedes from reached r join memories b on b.id = r.id where b.supersedes is not null
  )
  select reached.id from reached
$$;
revoke execute on function superseded_memories(uuid) from public;
grant execute on function superseded_memories(uuid) to memory_center_app, memory_center_recall;

create view visible_vectors as
  select v.pk, v.store, v.subject_id, v.item_kind, v.item_id
  from vector_refs v
  where v.state = 'written'
    and ((v.item_kind = 'memory' and exists (select from visible_memories m where m.id = v.item_id))
      or (v.item_kind = 'episode' and exists (select from visible_episodes e where e.id = v.item_id)));

-- What was kept out of long-term memory, or out of its wording: how much of which kind, never what.
create table withheld (
  message_id      uuid not null references messages(id),
  category        text not null,
  outcome         text not null check (outcome in ('rejected', 'redacted')),
  count           integer not null,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid not null,
  seq             bigint not null,
  primary key (message_id, category, outcome)
);
create index withheld_by_subject on withheld (subject_id, generation);
create index withheld_by_conversation on withheld (conversation_id, seq);

-- What feedback says a person prefers. `topic` is a keyed digest: signals of the same kind share it.
create table preference_signals (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  feedback_id     uuid not null,
  conversation_id uuid,
  at_seq          bigint,
  action          text not null check (action in ('accept', 'reject', 'partial')),
  topic           bytea not null,
  label           text not null,   -- abstract, from a closed list; `ignored` where the evidence said too little
  language        text not null check (language in ('en', 'zh')),
  recorded_at     timestamptz not null default now()
);
create index preference_signals_by_subject on preference_signals (subject_id, generation, topic);
create index preference_signals_by_conversation on preference_signals (conversation_id, at_seq);

create table preference_signal_contents (
  signal_id uuid primary key references preference_signals(id),
  quote     text not null
);
alter table preference_signal_contents alter column quote set storage external;
alter table preference_signal_contents alter column quote set statistics 0;

create view visible_withheld as
  select w.message_id, w.category, w.outcome, w.count, w.subject_id, w.conversation_id
  from withheld w join visible_messages m on m.id = w.message_id;

create view visible_preference_signals as
  select p.id, p.subject_id, p.generation, p.feedback_id, p.action, p.topic, p.label, p.language, p.recorded_at,
         t.quote
  from preference_signals p
  join subjects s on s.id = p.subject_id and s.generation = p.generation
  left join preference_signal_contents t on t.signal_id = p.id
  where (p.conversation_id is null or exists (
           select from visible_conversations c where c.id = p.conversation_id and p.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'signal' and h.item_id = p.id)
    and not exists (select from hides h where h.kind = 'feedback' and h.item_id = p.feedback_id);

grant select, insert, update, delete on withheld, preference_signals to memory_center_app;
grant insert, delete on preference_signal_contents to memory_center_app;
grant select (signal_id) on preference_signal_contents to memory_center_app;
grant maintain on preference_signal_contents to memory_center_app;
grant select on visible_memories, visible_vectors, visible_withheld, visible_preference_signals to memory_center_app;
grant select on visible_memories, visible_vectors, visible_preference_signals to memory_center_recall;
