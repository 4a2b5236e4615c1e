-- How far a language model has read each person's messages for behaviors, and which it must not read (TR-09).
create table trait_questions (
  subject_id  uuid not null references subjects (id),
  generation  integer not null,
  asked       timestamptz,  -- it was asked about everything recorded until then
  since       timestamptz,  -- the person wants nothing inferred from what was recorded until then
  primary key (subject_id, generation)
);
grant select, insert, update, delete on trait_questions to memory_center_app;
create index messages_by_time on messages (subject_id, recorded_at);
