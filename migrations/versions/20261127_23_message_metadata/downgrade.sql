-- A column leaves a view only with the view; visible_withheld is made of this one.
drop view visible_withheld, visible_messages;
create view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);
create view visible_withheld as
  select w.message_id, w.category, w.outcome, w.count, w.subject_id, w.conversation_id
  from withheld w join visible_messages m on m.id = w.message_id;
grant select on visible_messages to memory_center_app, memory_center_recall;
grant select on visible_withheld to memory_center_app;
select guard('visible_messages');
select guard('visible_withheld');
revoke update (metadata) on memory_contents from memory_center_app;
alter table message_contents drop column metadata;
