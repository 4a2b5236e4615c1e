-- One row a version of what a person consented to; the newest that was not imported holds.
create table profile_consents (
  id                   uuid primary key,
  subject_id           uuid not null,
  generation           integer not null,
  grant_id             uuid not null,      -- the version that began it: later ones only withdrew scopes
  version              integer not null,
  create_task          boolean not null,
  save_to_thread       boolean not null,
  save_to_profile      boolean not null,
  training_use_allowed boolean not null,
  text_version         text not null,      -- of the wording the person saw
  locale               text not null,
  channel              text not null check (channel in ('person', 'service')),
  granted_at           timestamptz not null,
  revoked_at           timestamptz,        -- when everything was withdrawn
  operation_id         uuid,               -- what recorded it, or withdrew scopes
  withdrawn            text[] not null default '{}',
  imported             boolean not null default false,  -- history of another installation: grants nothing
  unique (subject_id, generation, version, imported)
);
create index profile_consents_by_subject on profile_consents (subject_id, generation, version desc);

-- What somebody asked an assistant to do. It holds no words; what they said about it is a context.
create table tasks (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  route           text not null,
  status          text not null check (status in ('running', 'succeeded', 'failed')),
  conversation_id uuid,
  created_at      timestamptz not null,
  ended_at        timestamptz
);
create index tasks_by_subject on tasks (subject_id, generation, id desc);

create table user_contexts (
  id                uuid primary key,
  subject_id        uuid not null,
  generation        integer not null,
  scope             text not null check (scope in ('task', 'thread', 'profile')),
  written_by        text not null check (written_by in ('onboarding', 'review', 'save_as_thread', 'refresh', 'task')),
  task_id           uuid,
  conversation_id   uuid,
  at_seq            bigint,          -- the conversation's next message when it was written
  consent_id        uuid,            -- what it rests on
  consent_blocked   boolean not null default false,
  training_excluded boolean not null default false,
  expires_at        timestamptz,
  created_at        timestamptz not null,
  check ((scope = 'task') = (expires_at is not null)),
  check ((scope = 'task') = (task_id is not null)),
  check (scope <> 'thread' or conversation_id is not null)
);
create index user_contexts_by_subject on user_contexts (subject_id, generation, scope, id desc);
create index user_contexts_by_conversation on user_contexts (conversation_id, at_seq);
create index user_contexts_by_task on user_contexts (task_id);
create index user_contexts_by_end on user_contexts (expires_at) where expires_at is not null;

create table context_contents (
  context_id uuid primary key references user_contexts(id),
  fields     jsonb not null
);
alter table context_contents alter column fields set statistics 0, alter column fields set storage external;

-- What a thread held and when: its theses, and its questions that were resolved or reopened.
create table thread_notes (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid not null,
  at_seq          bigint not null,
  kind            text not null check (kind in ('thesis', 'resolved', 'reopened')),
  object_type     text check (object_type in ('asset', 'theme', 'event')),
  scanned_at      timestamptz,       -- of a reopened question: when it was looked at
  noted_at        timestamptz not null
);
create index thread_notes_by_subject on thread_notes (subject_id, generation, id desc);
create index thread_notes_by_conversation on thread_notes (conversation_id, at_seq);
create index thread_notes_to_scan on thread_notes (noted_at) where kind = 'reopened' and scanned_at is null;

create table thread_note_contents (
  note_id    uuid primary key references thread_notes(id),
  text       text not null,          -- a thesis, or a question's id
  object_ref text
);
alter table thread_note_contents alter column text set statistics 0, alter column text set storage external,
  alter column object_ref set statistics 0, alter column object_ref set storage external;

-- Signals that somebody's view changed. Append-only; it changes nothing.
create table persona_drift (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  drift_id        text not null,
  signal_kind     text not null check (signal_kind in ('grade_reversal', 'feedback_conflict', 'refresh_stance_flip',
                                                       'watch_question_resolved_then_reopened')),
  triggers_alert  boolean not null,
  schema_version  text not null,
  prior_kind      text not null check (prior_kind in ('feedback', 'thread_note')),
  prior_id        uuid not null,
  current_kind    text not null check (current_kind in ('feedback', 'thread_note')),
  current_id      uuid not null,
  observed_at     timestamptz not null,
  unique (signal_kind, current_id)
);
create index persona_drift_by_subject on persona_drift (subject_id, generation, observed_at desc);
create index persona_drift_by_prior on persona_drift (prior_id);
create index persona_drift_by_current on persona_drift (current_id);

create table persona_drift_contents (
  drift_id uuid primary key references persona_drift(id),
  contents jsonb not null
);
alter table persona_drift_contents alter column contents set statistics 0, alter column contents set storage external;

-- What might be used for training one day, with consent: a reference, never what was said.
create table training_candidates (
  id                uuid primary key,
  subject_id        uuid not null,
  generation        integer not null,
  status            text not null check (status = 'pending'),
  withdrawal_status text not null check (withdrawal_status in ('none', 'revoked')),
  conversation_id   uuid,
  at_seq            bigint,
  consent_id        uuid not null,
  created_at        timestamptz not null
);
create index training_candidates_by_subject on training_candidates (subject_id, generation);
create index training_candidates_by_conversation on training_candidates (conversation_id, at_seq);

create table training_candidate_contents (
  candidate_id uuid primary key references training_candidates(id),
  object_ref   text not null
);
alter table training_candidate_contents alter column object_ref set statistics 0,
  alter column object_ref set storage external;

-- When a person was last told that preferences can be set.
create table preference_hints (
  subject_id uuid primary key,
  generation integer not null,
  hinted_at  timestamptz not null
);

create view visible_consents as
  select c.id, c.subject_id, c.generation, c.grant_id, c.version, c.create_task, c.save_to_thread, c.save_to_profile,
         c.training_use_allowed, c.text_version, c.locale, c.channel, c.granted_at, c.revoked_at, c.operation_id,
         c.withdrawn, c.imported
  from profile_consents c join subjects s on s.id = c.subject_id and s.generation = c.generation;

create view visible_tasks as
  select t.id, t.subject_id, t.generation, t.route, t.status, t.conversation_id, t.created_at, t.ended_at
  from tasks t join subjects s on s.id = t.subject_id and s.generation = t.generation;

create view visible_contexts as
  select c.id, c.subject_id, c.generation, c.scope, c.written_by, c.task_id, c.conversation_id, c.at_seq, c.consent_id,
         c.consent_blocked, c.training_excluded, c.expires_at, c.created_at, t.fields
  from user_contexts c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  join context_contents t on t.context_id = c.id
  where (c.expires_at is null or c.expires_at > now())
    and (c.conversation_id is null or exists (
           select from visible_conversations v where v.id = c.conversation_id and c.at_seq > v.cleared_through))
    and not exists (select from hides h where h.kind = 'context' and h.item_id = c.id);

create view visible_thread_notes as
  select n.id, n.subject_id, n.generation, n.conversation_id, n.at_seq, n.kind, n.object_type, n.scanned_at, n.noted_at,
         t.text, t.object_ref
  from thread_notes n
  join visible_conversations v on v.id = n.conversation_id and n.at_seq > v.cleared_through
  join thread_note_contents t on t.note_id = n.id
  where n.generation = v.generation
    and not exists (select from hides h where h.kind = 'thread_note' and h.item_id = n.id);

create view visible_drift as
  select d.id, d.subject_id, d.generation, d.drift_id, d.signal_kind, d.triggers_alert, d.schema_version,
         d.prior_kind, d.prior_id, d.current_kind, d.current_id, d.observed_at, t.contents
  from persona_drift d
  join subjects s on s.id = d.subject_id and s.generation = d.generation
  join persona_drift_contents t on t.drift_id = d.id
  where not exists (select from hides h where h.kind = 'drift' and h.item_id = d.id);

create view visible_candidates as
  select c.id, c.subject_id, c.generation, c.status, c.withdrawal_status, c.conversation_id, c.at_seq, c.consent_id,
         c.created_at, t.object_ref
  from training_candidates c
  join subjects s on s.id = c.subject_id and s.generation = c.generation
  join training_candidate_contents t on t.candidate_id = c.id
  where (c.conversation_id is null or exists (
           select from visible_conversations v where v.id = c.conversation_id and c.at_seq > v.cleared_through))
    and not exists (select from hides h where h.kind = 'candidate' and h.item_id = c.id);

grant select, insert, update, delete on profile_consents, tasks, user_contexts, thread_notes, persona_drift,
  training_candidates, preference_hints to memory_center_app;
grant insert, delete on context_contents, thread_note_contents, persona_drift_contents, training_candidate_contents
  to memory_center_app;
grant select (context_id) on context_contents to memory_center_app;
grant select (note_id) on thread_note_contents to memory_center_app;
grant select (drift_id) on persona_drift_contents to memory_center_app;
grant select (candidate_id) on training_candidate_contents to memory_center_app;
grant maintain on context_contents, thread_note_contents, persona_drift_contents, training_candidate_contents
  to memory_center_app;
grant select on visible_consents, visible_tasks, visible_contexts, visible_thread_notes, visible_drift,
  visible_candidates to memory_center_app, memory_center_recall;
