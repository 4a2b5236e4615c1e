-- Content, like the words of a memory: read through the view, erased with the row.
alter table memory_contents add column metadata jsonb, add column external_id text;
alter table memory_contents alter column metadata set statistics 0, alter column metadata set storage external,
  alter column external_id set statistics 0, alter column external_id set storage external;
create index memory_contents_by_external_id on memory_contents (external_id) where external_id is not null;

create or replace view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion, t.metadata,
         t.external_id
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);
