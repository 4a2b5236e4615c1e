-- L1: as learned from a conversation. L2: consolidated, or decided by its person (LT-04).
alter table memories add column level text not null default 'L1' check (level in ('L1', 'L2'));
create index memories_to_consolidate on memories (subject_id, created_at) where level = 'L1' and not archived;

-- {valence, arousal, label}: what its person felt about it (LT-01). The label is content.
alter table memory_contents add column emotion jsonb;
alter table memory_contents alter column emotion set statistics 0, alter column emotion set storage external;

create or replace view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);

-- Every preference and constraint belongs in every context.
drop index memories_stable;
create index memories_stable on memories (subject_id) where taboo or content_type in ('preference', 'constraint');

-- Which task it names is content, and is read from its text (LT-06).
alter table messages add column names_task boolean not null default false;
create index messages_naming_tasks on messages (conversation_id, seq) where names_task;
create or replace view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);

-- Whether its person wants back what they forgot when they forgot everything.
alter table imports add column restore_forgotten boolean not null default false;
