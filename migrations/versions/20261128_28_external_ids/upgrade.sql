-- Locks in the order in which the product takes them: the view first, then what it reads.
alter view visible_conversations reset (security_barrier);  -- changes nothing, but locks
-- An eraser of the version before, which does not know the column, fails instead of leaving it.
alter table conversations add column external_id text, add check (erased_at is null or external_id is null);
alter table conversations alter column external_id set statistics 0, alter column external_id set storage external;

create or replace view visible_conversations as
  select c.id, c.subject_id, c.generation, c.project_id, c.next_seq, c.session, c.cleared_through, c.created_at,
         c.updated_at, t.title, c.remember, c.external_id
  from conversations c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  left join conversation_contents t on t.conversation_id = c.id and t.at_seq > c.cleared_through
  where c.erased_at is null
    and not exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id);
