-- A view keeps its columns while others read it.
create or replace view visible_conversations as
  select c.id, c.subject_id, c.generation, c.project_id, c.next_seq, c.session, c.cleared_through, c.created_at,
         c.updated_at, t.title, c.remember, null::text as external_id
  from conversations c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  left join conversation_contents t on t.conversation_id = c.id and t.at_seq > c.cleared_through
  where c.erased_at is null
    and not exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id);

alter table conversations drop column external_id;
