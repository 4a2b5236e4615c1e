-- An item is visible iff its generation is its subject's current one, it lies past what its conversation cleared,
-- and nothing hides it. Content is read through these views only.
create view visible_subjects as
  select id, user_id, generation, namespace from subjects where deleted_at is null;

create view visible_settings as
  select subject_id, user_id, summary_enabled, episodic_enabled, longterm_enabled, injection_enabled,
         preference_learning_enabled, privacy_mode_enabled, preference_learning_threshold, version, updated_at,
         traits_enabled, time_zone
  from user_settings;

create view visible_conversations as
  select c.id, c.subject_id, c.generation, c.project_id, c.next_seq, c.session, c.cleared_through, c.created_at,
         c.updated_at, t.title, c.remember
  from conversations c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  left join conversation_contents t on t.conversation_id = c.id and t.at_seq > c.cleared_through
  where c.erased_at is null
    and not exists (select from hides h where h.kind = 'conversation' and h.item_id = c.id);

create view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task, t.metadata
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
         y.covered_message_count, y.updated_at, t.text, y.method
  from summaries y
  join visible_conversations c on c.id = y.conversation_id and y.covered_from > c.cleared_through
  join summary_contents t on t.summary_id = y.id
  where y.generation = c.generation
    and not exists (select from hides h where h.kind = 'summary' and h.item_id = y.id);

create view visible_feedback as
  select f.id, f.subject_id, f.generation, f.conversation_id, f.message_id, f.action, f.rating, f.recorded_at,
         t.evidence_ref, t.related_object_ref, t.comment, f.rating_word, t.reason
  from feedback f
  join subjects s on s.id = f.subject_id and s.generation = f.generation
  left join feedback_contents t on t.feedback_id = f.id
  where (f.conversation_id is null or exists (
           select from visible_conversations c where c.id = f.conversation_id and f.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'feedback' and h.item_id = f.id);

create view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion, t.metadata,
         t.external_id
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);

-- Superseded is computed, never stored: a visible unit reaches it through `supersedes`, hidden units bridging.
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

-- Which of some units are superseded: as superseded_memories, but it costs what is asked about, not what a person has.
-- plpgsql keeps its plan; a function in SQL with `set` is planned at each call.
create function superseded_among(units uuid[]) returns setof uuid
  language plpgsql stable security definer set search_path = public rows 10
as $$
begin
  return query
    with recursive above(unit, id) as (
      select m.supersedes, m.id from memories m where m.supersedes = any(units)
      union
      select a.unit, m.id from above a join memories m on m.supersedes = a.id
      where not exists (select from visible_memories v where v.id = a.id)
    )
    select distinct a.unit from above a where exists (select from visible_memories v where v.id = a.id);
end $$;

create view visible_vectors as
  select v.pk, v.store, v.subject_id, v.item_kind, v.item_id
  from vector_refs v
  where v.state = 'written'
    and ((v.item_kind = 'memory' and exists (select from visible_memories m where m.id = v.item_id))
      or (v.item_kind = 'episode' and exists (select from visible_episodes e where e.id = v.item_id)));

create view visible_lineage as
  select l.derived_kind, l.derived_id, l.source_kind, l.source_id, l.edge, l.quote_start, l.quote_end, l.context, l.subject_id
  from lineage l join subjects s on s.id = l.subject_id and s.generation = l.generation;

-- MC-13: which mem0 memory came from which message.
create view mem0_mapping as
  select v.pk as id, s.user_id, l.source_id as source_message_id, v.pk as mem0_memory_id, m.created_at
  from vector_refs v
  join memories m on m.id = v.item_id
  join subjects s on s.id = v.subject_id
  join lineage l on l.derived_kind = 'memory' and l.derived_id = v.item_id and l.source_kind = 'message'
    and not l.context
  where v.store = 'mem0' and v.item_kind = 'memory';

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

-- Hints, as a vector store's: nothing is served of them without its visible row. At most `at_most` of a term, so that
-- frequent ones, which tell little, cost no more than rare ones.
create function messages_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, seq bigint)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.seq from unnest(wanted) as w(term),
    lateral (select t.seq from message_terms t where t.terms @> array[w.term] limit at_most) t
$$;
create function memories_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, memory_id uuid)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.memory_id from unnest(wanted) as w(term),
    lateral (select t.memory_id from memory_terms t where t.terms @> array[w.term] limit at_most) t
$$;
