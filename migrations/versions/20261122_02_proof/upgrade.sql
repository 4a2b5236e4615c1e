-- What belongs to nobody (reconciling, purging) belongs to the installation: a subject without a user.
-- An account that was closed leaves a stub: no user, no key.
alter table subjects alter column user_id drop not null, alter column subject_key drop not null,
  add column closed_as bytea;  -- a keyed digest of the user while closing goes on, so that they may watch it
insert into subjects (id, namespace, subject_key)
  values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(),
          uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- How many times a restored backup made it necessary to do an operation again.
alter table operations add column run integer not null default 0;
create unique index operations_by_receipt on operations (receipt_id) where receipt_id is not null;
create index operations_unpurged on operations (erased_at) where erased_at is not null and purged_at is null;
create index operations_unfinished on operations (type) where status in ('pending', 'running', 'failed');

-- A forget that is undone gives its spans back, and no other's.
alter table unlearnable_spans add column op_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table unlearnable_spans alter column op_id drop default;
alter table unlearnable_spans drop constraint unlearnable_spans_pkey;
alter table unlearnable_spans add primary key (message_id, quote_start, quote_end, op_id);
create index unlearnable_spans_by_operation on unlearnable_spans (op_id);

-- One chain of what was accepted and what was proven, without content; a file outside the database holds it too.
create table ledger (
  seq        bigint primary key,
  op_id      uuid not null,
  kind       text not null check (kind in ('accepted', 'verified')),
  run        integer not null,
  receipt_id uuid not null,
  body       text not null,   -- canonical JSON (RFC 8785), exactly the bytes that were hashed
  prev_hash  bytea not null,
  hash       bytea not null unique,
  signature  bytea not null,
  unique (op_id, kind, run)
);
create index ledger_by_receipt on ledger (receipt_id);

-- Stored as it was written, never compressed: a search of the files for a text is then a proof.
alter table conversation_contents alter column title set storage external;
alter table message_contents alter column text set storage external, alter column name set storage external,
  alter column task_hint set storage external, alter column client_message_id set storage external;
alter table feedback_contents alter column evidence_ref set storage external,
  alter column related_object_ref set storage external, alter column comment set storage external;
alter table summary_contents alter column text set storage external;
alter table memory_contents alter column text set storage external, alter column task_hint set storage external;

-- Planner samples are copies too: none are kept of names, nor of what a request did.
alter table subjects alter column user_id set statistics 0;
alter table user_settings alter column user_id set statistics 0;
alter table idempotency_keys alter column principal set statistics 0, alter column answer set statistics 0;
alter table debug_records alter column request_id set statistics 0, alter column data set statistics 0;

-- The ledger only grows.
grant select, insert on ledger to memory_center_app;

-- Physical purge: VACUUM FULL of whatever held content or a name.
grant maintain on conversation_contents, message_contents, feedback_contents, summary_contents, memory_contents,
  subjects, user_settings, idempotency_keys, debug_records, conversations to memory_center_app;
