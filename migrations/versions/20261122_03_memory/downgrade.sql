drop view visible_preference_signals, visible_withheld, visible_vectors, visible_memories;
drop function superseded_memories(uuid);
drop table preference_signal_contents, preference_signals, withheld;
drop index memories_by_contradicted, memories_by_age, memories_by_time, memories_superseding;
alter table memories drop column contradicts, drop column archived, drop column method, drop column last_supported_at;

drop view visible_feedback, visible_summaries, visible_episodes, visible_messages, visible_conversations;
alter table conversations drop column remember, drop column summary_version;
alter table summaries drop column method;

create view visible_conversations as
  select c.id, c.subject_id, c.generation, c.project_id, c.next_seq, c.session, c.cleared_through, c.created_at,
         c.updated_at, t.title
  from conversations c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  left join conversation_contents t on t.conversation_id = c.id and t.at_seq > c.cleared_through
  where c.erased_at is null
    and not exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id);

create view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);

create view visible_episodes as
  select e.id, e.subject_id, e.generation, e.conversation_id, e.turn, e.first_seq, e.user_message_id,
         e.assistant_message_id, e.created_at
  from episodes e
  join visible_conversations c on c.id = e.conversation_id and e.first_seq > c.cleared_through
  where e.generation = c.generation
    and not exists (select from hides h where h.kind = 'episode' and h.item_id = e.id);

create view visible_summaries as
  select y.id, y.subject_id, y.generation, y.conversation_id, y.version, y.covered_from, y.covered_through,
         y.covered_message_count, y.updated_at, t.text
  from summaries y
  join visible_conversations c on c.id = y.conversation_id and y.covered_from > c.cleared_through
  join summary_contents t on t.summary_id = y.id
  where y.generation = c.generation
    and not exists (select from hides h where h.kind = 'summary' and h.item_id = y.id);

create view visible_feedback as
  select f.id, f.subject_id, f.generation, f.conversation_id, f.message_id, f.action, f.rating, f.recorded_at,
         t.evidence_ref, t.related_object_ref, t.comment
  from feedback f
  join subjects s on s.id = f.subject_id and s.generation = f.generation
  left join feedback_contents t on t.feedback_id = f.id
  where (f.conversation_id is null or exists (
           select from visible_conversations c where c.id = f.conversation_id and f.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'feedback' and h.item_id = f.id);

create view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         t.text, t.task_hint
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

grant select on visible_conversations, visible_messages, visible_episodes, visible_summaries, visible_feedback,
  visible_memories, visible_vectors to memory_center_app, memory_center_recall;
