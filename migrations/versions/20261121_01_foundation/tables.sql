-- People. The generation and the random namespace are the fence: a forget of everything draws new ones.
create table subjects (
  id            uuid primary key,
  user_id       text not null unique,
  generation    integer not null default 1,
  namespace     uuid not null unique,
  subject_key   bytea not null,
  created_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  consent_version_at_deletion integer
);

create table user_settings (
  subject_id                    uuid primary key references subjects(id),
  user_id                       text not null unique,
  summary_enabled               boolean not null,
  episodic_enabled              boolean not null,
  longterm_enabled              boolean not null,
  injection_enabled             boolean not null,
  preference_learning_enabled   boolean not null,
  privacy_mode_enabled          boolean not null,
  preference_learning_threshold integer not null,
  version                       integer not null,
  updated_at                    timestamptz not null
);

-- What happened, without content. Append-only but for erasure.
create table events (
  position    bigint generated always as identity primary key,
  stream      text not null,
  version     integer not null,
  type        text not null,
  data        jsonb not null,
  actor       text not null,
  at          timestamptz not null default now(),
  subject_id  uuid not null,
  generation  integer not null,
  unique (stream, version)
);
create index events_by_subject on events (subject_id, generation);

create table conversations (
  id              uuid primary key,
  subject_id      uuid not null references subjects(id),
  generation      integer not null,
  project_id      text,
  next_seq        bigint not null default 1,
  turn            bigint not null default 0,
  turn_open       boolean not null default false,
  turn_has_user   boolean not null default false,
  session         integer not null default 1,
  cleared_through bigint not null default 0,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  erased_at       timestamptz
);
create index conversations_by_subject on conversations (subject_id, id desc);

-- What people wrote lives in *_contents; the references make it impossible that content outlives its item.
create table conversation_contents (
  conversation_id uuid primary key references conversations(id),
  title           text not null,
  at_seq          bigint not null  -- the next message when it was set: a clear after that hides it
);

create table messages (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid not null references conversations(id),
  seq             bigint not null,
  turn            bigint not null,
  session         integer not null,
  role            text not null check (role in ('user', 'assistant', 'tool', 'system')),
  completed       boolean not null,
  client_key      bytea,
  -- The switches when it was recorded: what was said while a switch was off is never derived from later.
  summarize       boolean not null,
  index_episode   boolean not null,
  learn           boolean not null,
  spoken_at       timestamptz not null,
  recorded_at     timestamptz not null default now(),
  unique (conversation_id, seq),
  unique (conversation_id, client_key)
);
create index messages_by_turn on messages (conversation_id, turn);
create index messages_by_subject on messages (subject_id, generation);

create table message_contents (
  message_id        uuid primary key references messages(id),
  version           integer not null default 1,
  text              text not null,
  name              text,
  task_hint         text,
  client_message_id text
);

-- What is left of an erased message while its conversation lives: a client that sends it again changes nothing.
create table erased_messages (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid not null,
  seq             bigint not null,
  turn            bigint not null,
  client_key      bytea,
  erased_at       timestamptz not null default now(),
  unique (conversation_id, client_key)
);

create index erased_messages_by_subject on erased_messages (subject_id);
create index erased_messages_by_turn on erased_messages (conversation_id, turn);

-- Spans whose memory a person deleted: the message stays, this must not be learned from it again.
create table unlearnable_spans (
  message_id  uuid not null,
  quote_start integer not null,
  quote_end   integer not null,
  subject_id  uuid not null,
  primary key (message_id, quote_start, quote_end)
);

create index unlearnable_spans_by_subject on unlearnable_spans (subject_id);

create table feedback (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid,
  message_id      uuid,
  at_seq          bigint,          -- the conversation's next message when it was given
  action          text check (action in ('accept', 'reject', 'partial')),
  rating          integer,
  recorded_at     timestamptz not null default now()
);
create index feedback_by_subject on feedback (subject_id, generation);
create index feedback_by_conversation on feedback (conversation_id);

create table feedback_contents (
  feedback_id        uuid primary key references feedback(id),
  evidence_ref       text,
  related_object_ref text,
  comment            text
);

create table summaries (
  id                    uuid primary key,
  subject_id            uuid not null,
  generation            integer not null,
  conversation_id       uuid not null references conversations(id),
  version               integer not null,
  covered_from          bigint not null,
  covered_through       bigint not null,
  covered_message_count integer not null,
  updated_at            timestamptz not null default now()
);
create index summaries_by_conversation on summaries (conversation_id, version desc);
create index summaries_by_subject on summaries (subject_id, generation);

create table summary_contents (
  summary_id uuid primary key references summaries(id),
  text       text not null
);

-- An episode has no text of its own: its messages are its text.
create table episodes (
  id                   uuid primary key,
  subject_id           uuid not null,
  generation           integer not null,
  conversation_id      uuid not null references conversations(id),
  turn                 bigint not null,
  first_seq            bigint not null,
  user_message_id      uuid,
  assistant_message_id uuid,
  created_at           timestamptz not null default now(),
  unique (conversation_id, turn)
);
create index episodes_by_subject on episodes (subject_id, generation);

create table memories (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  content_type    text not null,
  scope           text not null check (scope in ('global', 'project')),
  project_id      text,
  origin          text not null check (origin in ('extracted', 'stated', 'learned', 'imported')),
  importance      integer not null check (importance between 1 and 10),
  taboo           boolean not null,
  disabled        boolean not null,
  confirmed       boolean not null,
  supersedes      uuid,
  conversation_id uuid,
  spoken_at       timestamptz,
  version         integer not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create index memories_by_subject on memories (subject_id, generation, id desc);

create index memories_by_superseded on memories (supersedes) where supersedes is not null;

create table memory_contents (
  -- deferred: a rebuild empties and refolds memories in one transaction
  memory_id uuid primary key references memories(id) deferrable initially deferred,
  text      text not null,
  task_hint text
);

-- derived ← source. text_from: the wording may contain the source. supported_by: independent evidence.
create table lineage (
  derived_kind text not null,
  derived_id   uuid not null,
  source_kind  text not null,
  source_id    uuid not null,
  edge         text not null check (edge in ('text_from', 'supported_by')),
  quote_start  integer,
  quote_end    integer,
  context      boolean not null default false,  -- only shown while deriving: its wording may be in there all the same
  subject_id   uuid not null,
  generation   integer not null,
  primary key (derived_kind, derived_id, source_kind, source_id)
);
create index lineage_by_source on lineage (source_kind, source_id);
create index lineage_by_subject on lineage (subject_id, generation);
create index lineage_of_memories on lineage (subject_id) where derived_kind = 'memory' and source_kind = 'message';

create table hides (
  kind    text not null,
  item_id uuid not null,
  op_id   uuid not null,
  primary key (kind, item_id, op_id)
);
create index hides_by_operation on hides (op_id, kind);

-- Every write to a store is announced here before it happens; several keys may belong to one item.
create table vector_refs (
  pk         uuid primary key,
  store      text not null,
  subject_id uuid not null,
  namespace  uuid not null,
  item_kind  text not null,
  item_id    uuid not null,
  conversation_id uuid,   -- of items that live inside one: found by it when their rows are gone
  first_seq  bigint,
  step_id    bigint,
  state      text not null check (state in ('intended', 'written', 'erased')),
  deadline   timestamptz not null
);
create index vector_refs_by_item on vector_refs (item_kind, item_id);
create index vector_refs_by_conversation on vector_refs (conversation_id, first_seq) where conversation_id is not null;
create index vector_refs_by_namespace on vector_refs (namespace, store);
create index vector_refs_unfinished on vector_refs (deadline) where state = 'intended';

create table operations (
  id               uuid primary key,
  subject_id       uuid not null references subjects(id),
  type             text not null,
  scope            text not null,
  target           jsonb not null,
  payload          jsonb not null default '{}',
  status           text not null check (status in ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
  progress         real not null default 0,
  retry_count      integer not null default 0,
  last_error       text,
  receipt_id       uuid,
  unrecallable_at  timestamptz,
  erased_at        timestamptz,
  purged_at        timestamptz,
  not_before       timestamptz,
  version          integer not null default 1,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);
create index operations_by_subject on operations (subject_id, id desc);

create table operation_steps (
  id            bigint generated always as identity primary key,
  operation_id  uuid not null references operations(id),
  name          text not null,
  status        text not null check (status in ('waiting', 'ready', 'running', 'succeeded', 'failed', 'cancelled')),
  attempts      integer not null default 0,
  counts        jsonb not null default '{}',
  last_error    text,
  next_retry_at timestamptz,
  started_at    timestamptz,
  finished_at   timestamptz,
  unique (operation_id, name)
);

create table outbox (
  id           bigint generated always as identity primary key,
  operation_id uuid,
  step_id      bigint,
  subject_id   uuid not null,
  kind         text not null,
  payload      jsonb not null,
  state        text not null default 'ready' check (state in ('ready', 'leased', 'failed')),
  priority     integer not null default 0,
  available_at timestamptz not null default now(),
  attempt      integer not null default 0,
  expiries     integer not null default 0,
  lease_token  bigint not null default 0,
  lease_until  timestamptz,
  published_at timestamptz,
  dedupe_key   text,
  last_error   text,
  created_at   timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
        autovacuum_vacuum_cost_delay = 0);
create index outbox_ready on outbox (id) where state = 'ready';
create index outbox_due on outbox (available_at) where state = 'ready';
create index outbox_leased on outbox (lease_until) where state = 'leased';
create index outbox_failed on outbox (available_at) where state = 'failed';
create index outbox_by_operation on outbox (operation_id) where operation_id is not null;
create index outbox_by_subject on outbox (subject_id);
create unique index outbox_coalesced on outbox (kind, dedupe_key) where state = 'ready';

create table idempotency_keys (
  principal    text not null,
  key_hash     bytea not null,
  request_hash bytea not null,
  subject_id   uuid not null,
  generation   integer not null,
  answer       jsonb not null,
  created_at   timestamptz not null default now(),
  primary key (principal, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_by_subject on idempotency_keys (subject_id);

create table debug_records (
  request_id text primary key,
  subject_id uuid not null,
  generation integer not null,
  conversation_id uuid,
  data       jsonb not null,
  created_at timestamptz not null default now()
);
create index debug_records_by_subject on debug_records (subject_id, generation);
create index debug_records_by_conversation on debug_records (conversation_id);
create index debug_records_by_age on debug_records (created_at);

-- Planner samples are copies too: none are kept of what people wrote.
alter table conversation_contents alter column title set statistics 0;
alter table message_contents alter column text set statistics 0, alter column name set statistics 0,
  alter column task_hint set statistics 0, alter column client_message_id set statistics 0;
alter table feedback_contents alter column evidence_ref set statistics 0,
  alter column related_object_ref set statistics 0, alter column comment set statistics 0;
alter table summary_contents alter column text set statistics 0;
alter table memory_contents alter column text set statistics 0, alter column task_hint set statistics 0;
