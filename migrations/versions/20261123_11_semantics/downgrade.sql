alter table imports drop column restore_forgotten;

drop view visible_withheld, visible_vectors, visible_memories;
drop view visible_messages;

create view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);

create view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint
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

create view visible_withheld as
  select w.message_id, w.category, w.outcome, w.count, w.subject_id, w.conversation_id
  from withheld w join visible_messages m on m.id = w.message_id;

grant select on visible_messages, visible_memories, visible_vectors to memory_center_app, memory_center_recall;
grant select on visible_withheld to memory_center_app;

drop index messages_naming_tasks;
alter table messages drop column names_task;

drop index memories_stable;
create index memories_stable on memories (subject_id)
  where taboo or content_type in ('preference', 'constraint') and (confirmed or origin in ('stated', 'learned'));

alter table memory_contents drop column emotion;
drop index memories_to_consolidate;
alter table memories drop column level;
