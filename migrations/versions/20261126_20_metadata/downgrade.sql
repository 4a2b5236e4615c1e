-- A column leaves a view only with the view; visible_vectors is made of this one.
drop view visible_vectors, visible_memories;
create view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);
create view visible_vectors as
  select v.pk, v.store, v.subject_id, v.item_kind, v.item_id
  from vector_refs v
  where v.state = 'written'
    and ((v.item_kind = 'memory' and exists (select from visible_memories m where m.id = v.item_id))
      or (v.item_kind = 'episode' and exists (select from visible_episodes e where e.id = v.item_id)));
grant select on visible_memories, visible_vectors to memory_center_app, memory_center_recall;
alter table memory_contents drop column metadata, drop column external_id;
