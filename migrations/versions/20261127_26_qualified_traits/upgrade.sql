alter table traits add column qualified text
  check (qualified in ('sometimes', 'work', 'personal', 'social', 'learning'));

create or replace view visible_traits as
  select t.id, t.subject_id, t.generation, t.trait_key, t.subtype, t.stage, t.confidence, t.base_confidence, t.valid_from,
         t.valid_until, t.context, t.importance, t.first_observed, t.last_reinforced, t.reinforcement_count,
         t.contradiction_count, t.derived_from, t.overruled, t.confirmed_at, t.chosen_context, t.version, t.created_at,
         t.updated_at, c.text, c.edited, t.qualified
  from traits t
  join subjects s on s.id = t.subject_id and s.generation = t.generation
  join trait_contents c on c.trait_id = t.id
  where not exists (select from hides h where h.kind = 'trait' and h.item_id = t.id);

-- With the columns of the observation: where a query joined the two views, PostgreSQL read everybody's observations for
-- each piece of evidence.
create or replace view visible_trait_evidence as
  select e.trait_id, e.observation_id, e.side, e.grade, o.source_kind, o.source_id, o.conversation_id, o.form, o.context,
         o.observed_at, o.cycle_id
  from trait_evidence e
  join visible_traits t on t.id = e.trait_id
  join visible_trait_observations o on o.id = e.observation_id;

-- A memory that a newer one replaced is no evidence any more.
create or replace view visible_trait_observations as
  select o.id, o.subject_id, o.generation, o.conversation_id, o.at_seq, o.source_kind, o.source_id, o.trait_key, o.shows,
         o.form, o.context, o.sure, o.observed_at, o.cycle_id, o.recorded_at
  from trait_observations o
  join subjects s on s.id = o.subject_id and s.generation = o.generation
  where (o.conversation_id is null or exists (
           select from visible_conversations c where c.id = o.conversation_id and o.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'observation' and h.item_id = o.id)
    and (o.source_kind <> 'memory' or not exists (select from superseded_among(array[o.source_id])));
