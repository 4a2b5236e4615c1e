-- Content, like the words of a message: read through the view, erased with the row.
alter table message_contents add column metadata jsonb;
alter table message_contents alter column metadata set statistics 0, alter column metadata set storage external;

-- Set when a message is completed; taken away from a message of which a part was forgotten, and from what is learned
-- from it.
grant update (metadata) on message_contents, memory_contents to memory_center_app;

create or replace view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task, t.metadata
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);
