-- What a language model may still be asked about what somebody said (TR-09): nothing recorded until then.
create table trait_questions (
  subject_id  uuid not null references subjects (id),
  generation  integer not null,
  asked       timestamptz,  -- it was asked about everything recorded until then
  since       timestamptz,  -- the person wants nothing inferred from what was recorded until then
  primary key (subject_id, generation)
);
grant select, insert, update, delete on trait_questions to memory_center_app;
create index messages_by_time on messages (subject_id, recorded_at);
