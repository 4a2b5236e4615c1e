-- What one message, memory or piece of feedback shows of a behavior: an entry of a closed vocabulary, no words.
create table trait_observations (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid,
  at_seq          bigint,           -- of the message, or of the next one when feedback was given
  source_kind     text not null check (source_kind in ('message', 'memory', 'feedback')),
  source_id       uuid not null,
  trait_key       text not null,
  shows           boolean not null, -- false: it shows the contrary
  form            text not null check (form in ('told', 'stated', 'signal')),
  context         text not null check (context in ('work', 'personal', 'social', 'learning', 'general')),
  sure            double precision not null check (sure between 0 and 1),
  observed_at     timestamptz not null,
  cycle_id        uuid,             -- the reflection that counted it first
  recorded_at     timestamptz not null default now(),
  unique (source_id, trait_key)
);
create index trait_observations_by_subject on trait_observations (subject_id, generation);
create index trait_observations_by_conversation on trait_observations (conversation_id, at_seq);
create index trait_observations_new on trait_observations (subject_id, recorded_at) where cycle_id is null;

create table reflections (
  id         uuid primary key,
  subject_id uuid not null,
  generation integer not null,
  trigger    text not null check (trigger in ('importance', 'daily', 'session', 'request', 'import')),
  reason     text,                  -- one of a closed list; never what a person wrote
  at         timestamptz not null,
  counts     jsonb not null,
  recorded_at timestamptz not null default now()
);
create index reflections_by_subject on reflections (subject_id, generation, id desc);

-- Computed from the observations, the reflections and the person's decisions; `confirmed_at`, `chosen_context` and the
-- wording are those decisions.
create table traits (
  id                  uuid primary key,
  subject_id          uuid not null,
  generation          integer not null,
  trait_key           text not null,
  subtype             text not null check (subtype in ('behavior', 'preference', 'core')),
  stage               text not null check (stage in ('trend', 'candidate', 'emerging', 'established', 'core', 'dissolved')),
  confidence          double precision check (confidence between 0 and 1),
  base_confidence     double precision check (base_confidence between 0 and 1),
  valid_from          timestamptz,
  valid_until         timestamptz,
  context             text not null,
  importance          integer not null check (importance between 1 and 10),
  first_observed      timestamptz not null,
  last_reinforced     timestamptz not null,
  reinforcement_count integer not null,
  contradiction_count integer not null,
  derived_from        text not null check (derived_from in ('reflection', 'trend_promotion')),
  overruled           boolean not null,  -- the person said the contrary since
  confirmed_at        timestamptz,
  chosen_context      text,
  version             integer not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  qualified           text check (qualified in ('sometimes', 'work', 'personal', 'social', 'learning')),
  check ((stage = 'trend') = (confidence is null) or stage = 'dissolved'),
  unique (subject_id, generation, trait_key)
);
create index traits_by_subtype on traits (subject_id, subtype);
create index traits_by_stage on traits (subject_id, stage);
create index traits_by_end on traits (valid_until) where stage = 'trend';

create table trait_contents (
  -- deferred: a rebuild empties and refolds traits in one transaction
  trait_id uuid primary key references traits(id) deferrable initially deferred,
  text     text not null,
  edited   boolean not null
);
alter table trait_contents alter column text set statistics 0, alter column text set storage external;

create table trait_contexts (
  trait_id   uuid not null references traits(id) deferrable initially deferred,
  label      text not null,
  tendency   text not null,  -- the key of the trait that holds there
  confidence double precision not null check (confidence between 0 and 1),
  primary key (trait_id, label)
);

create table trait_evidence (
  trait_id       uuid not null references traits(id) deferrable initially deferred,
  observation_id uuid not null references trait_observations(id),
  side           text not null check (side in ('supporting', 'contradicting')),
  grade          text check (grade in ('A', 'B', 'C', 'D')),
  primary key (trait_id, observation_id)
);
create index trait_evidence_by_observation on trait_evidence (observation_id);

-- Traits that the assistant was told about since the last reflection, and in which reflection that counted.
create table trait_recalls (
  trait_id uuid not null references traits(id) deferrable initially deferred,
  cycle_id uuid,
  unique nulls not distinct (trait_id, cycle_id)
);

-- What the person said is not so: never inferred again until they allow it.
create table unlearnable_traits (
  subject_id uuid not null,
  generation integer not null,
  trait_key  text not null,
  op_id      uuid not null,
  primary key (subject_id, trait_key, op_id)
);
create index unlearnable_traits_by_operation on unlearnable_traits (op_id);

-- A memory that a newer one replaced is no evidence any more.
create view visible_trait_observations as
  select o.id, o.subject_id, o.generation, o.conversation_id, o.at_seq, o.source_kind, o.source_id, o.trait_key, o.shows,
         o.form, o.context, o.sure, o.observed_at, o.cycle_id, o.recorded_at
  from trait_observations o
  join subjects s on s.id = o.subject_id and s.generation = o.generation
  where (o.conversation_id is null or exists (
           select from visible_conversations c where c.id = o.conversation_id and o.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'observation' and h.item_id = o.id)
    and (o.source_kind <> 'memory' or not exists (select from superseded_among(array[o.source_id])));

create view visible_traits as
  select t.id, t.subject_id, t.generation, t.trait_key, t.subtype, t.stage, t.confidence, t.base_confidence, t.valid_from,
         t.valid_until, t.context, t.importance, t.first_observed, t.last_reinforced, t.reinforcement_count,
         t.contradiction_count, t.derived_from, t.overruled, t.confirmed_at, t.chosen_context, t.version, t.created_at,
         t.updated_at, c.text, c.edited, t.qualified
  from traits t
  join subjects s on s.id = t.subject_id and s.generation = t.generation
  join trait_contents c on c.trait_id = t.id
  where not exists (select from hides h where h.kind = 'trait' and h.item_id = t.id);

create view visible_trait_contexts as
  select c.trait_id, c.label, c.tendency, c.confidence from trait_contexts c join visible_traits t on t.id = c.trait_id;

-- With the columns of the observation: where a query joined the two views, PostgreSQL read everybody's observations for
-- each piece of evidence.
create view visible_trait_evidence as
  select e.trait_id, e.observation_id, e.side, e.grade, o.source_kind, o.source_id, o.conversation_id, o.form, o.context,
         o.observed_at, o.cycle_id
  from trait_evidence e
  join visible_traits t on t.id = e.trait_id
  join visible_trait_observations o on o.id = e.observation_id;

create view visible_reflections as
  select r.id, r.subject_id, r.generation, r.trigger, r.reason, r.at, r.counts
  from reflections r join subjects s on s.id = r.subject_id and s.generation = r.generation;

grant select, insert, update, delete on trait_observations, reflections, traits, trait_contexts, trait_evidence,
  trait_recalls, unlearnable_traits to memory_center_app;
grant insert, delete on trait_contents to memory_center_app;
grant select (trait_id, edited), update (text, edited) on trait_contents to memory_center_app;
grant maintain on trait_contents, trait_contexts, trait_evidence, trait_recalls, traits, trait_observations
  to memory_center_app;
grant select on visible_trait_observations, visible_traits, visible_trait_contexts, visible_trait_evidence,
  visible_reflections to memory_center_app, memory_center_recall;

-- How far a language model has read each person's messages for behaviors, and which it must not read (TR-09).
create table trait_questions (
  subject_id  uuid not null references subjects (id),
  generation  integer not null,
  asked       timestamptz,  -- it was asked about everything recorded until then
  since       timestamptz,  -- the person wants nothing inferred from what was recorded until then
  notes_read  timestamptz,
  looked_at   timestamptz,  -- by the last reflection, whether or not it found anything
  primary key (subject_id, generation)
);
grant select, insert, update, delete on trait_questions to memory_center_app;
