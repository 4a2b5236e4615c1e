-- People. The generation and the random namespace are the fence: a forget of everything draws new ones. A closed account
-- leaves a row without a user and without a key. What belongs to nobody (reconciling, purging) belongs to the
-- installation: a subject without a user.
create table subjects (
  id            uuid primary key,
  user_id       text unique,
  generation    integer not null default 1,
  namespace     uuid not null unique,
  subject_key   bytea,
  closed_as     bytea,  -- a keyed digest of the user while closing goes on, so that they may watch it
  created_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  consent_version_at_deletion integer,
  stub_of       bytea   -- of a closed account whose person had consented: a digest of the user id under the installation's key
);
create index subjects_by_stub on subjects (stub_of) where stub_of is not null;
insert into subjects (id, namespace, subject_key)
  values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(),
          uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

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
  updated_at                    timestamptz not null,
  traits_enabled                boolean not null default true,
  time_zone                     text
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
-- In an order the primary key does not have: reading that one backwards would pass everybody else's newest events.
create index events_by_position on events (subject_id, position desc nulls last);

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
  remember        boolean not null default true,  -- "do not remember this": nothing is made of what is said meanwhile
  summary_version integer not null default 0,     -- goes on whatever is forgotten
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
  names_task      boolean not null default false,  -- which one is content, and is read from its text (LT-06)
  spoken_at       timestamptz not null,
  recorded_at     timestamptz not null default now(),
  unique (conversation_id, seq),
  unique (conversation_id, client_key)
);
create index messages_by_turn on messages (conversation_id, turn);
create index messages_by_subject on messages (subject_id, generation);
create index messages_by_time on messages (subject_id, recorded_at);
create index messages_naming_tasks on messages (conversation_id, seq) where names_task;

create table message_contents (
  message_id        uuid primary key references messages(id),
  version           integer not null default 1,
  text              text not null,
  name              text,
  task_hint         text,
  client_message_id text,
  metadata          jsonb
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
  op_id       uuid not null,  -- a forget that is undone gives its spans back, and no other's
  subject_id  uuid not null,
  primary key (message_id, quote_start, quote_end, op_id)
);

create index unlearnable_spans_by_subject on unlearnable_spans (subject_id);
create index unlearnable_spans_by_operation on unlearnable_spans (op_id);

-- What was kept out of long-term memory, or out of its wording: how much of which kind, never what.
create table withheld (
  message_id      uuid not null references messages(id),
  category        text not null,
  outcome         text not null check (outcome in ('rejected', 'redacted')),
  count           integer not null,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid not null,
  seq             bigint not null,
  primary key (message_id, category, outcome)
);
create index withheld_by_subject on withheld (subject_id, generation);
create index withheld_by_conversation on withheld (conversation_id, seq);

-- What recall finds items by, beside vectors: keyed digests of their words, which mean nothing outside their namespace.
create table message_terms (
  message_id uuid primary key references messages(id),
  seq        bigint not null,   -- the message's, so that hits need no other row
  terms      bigint[] not null
);
-- No pending list: what was deleted must not linger in one, and a search must not read one.
create index message_terms_by_term on message_terms using gin (terms) with (fastupdate = off);

create table feedback (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  conversation_id uuid,
  message_id      uuid,
  at_seq          bigint,          -- the conversation's next message when it was given
  action          text check (action in ('accept', 'reject', 'partial')),
  rating          integer,
  rating_word     text check (rating_word is null
                    or (rating is null and rating_word in ('thumbs_up', 'not_helpful', 'agree', 'disagree'))),
  recorded_at     timestamptz not null default now()
);
create index feedback_by_subject on feedback (subject_id, generation);
create index feedback_by_conversation on feedback (conversation_id);

create table feedback_contents (
  feedback_id        uuid primary key references feedback(id),
  evidence_ref       text,
  related_object_ref text,
  comment            text,
  reason             text
);

-- What feedback says a person prefers. `topic` is a keyed digest: signals of the same kind share it.
create table preference_signals (
  id              uuid primary key,
  subject_id      uuid not null,
  generation      integer not null,
  feedback_id     uuid not null,
  conversation_id uuid,
  at_seq          bigint,
  action          text not null check (action in ('accept', 'reject', 'partial')),
  topic           bytea not null,
  label           text not null,   -- abstract, from a closed list; `ignored` where the evidence said too little
  language        text not null check (language in ('en', 'zh')),
  recorded_at     timestamptz not null default now()
);
create index preference_signals_by_subject on preference_signals (subject_id, generation, topic);
create index preference_signals_by_conversation on preference_signals (conversation_id, at_seq);

create table preference_signal_contents (
  signal_id uuid primary key references preference_signals(id),
  quote     text not null
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
  method                text not null default 'extractive',  -- or model:<name>
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
  archived        boolean not null default false,
  supersedes      uuid,
  contradicts     uuid,            -- an older unit it may contradict; its person decides
  level           text not null default 'L1' check (level in ('L1', 'L2')),  -- learned; consolidated, or decided by its person
  method          text,            -- rules, model:<name>, person, feedback, import
  last_supported_at timestamptz,
  conversation_id uuid,
  spoken_at       timestamptz,
  version         integer not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create index memories_by_subject on memories (subject_id, generation, id desc);

create index memories_by_superseded on memories (supersedes) where supersedes is not null;
create index memories_by_contradicted on memories (contradicts) where contradicts is not null;
create index memories_superseding on memories (subject_id) where supersedes is not null;
create index memories_by_age on memories (created_at) where not archived;
create index memories_by_time on memories (subject_id, created_at);
create index memories_to_consolidate on memories (subject_id, created_at) where level = 'L1' and not archived;
-- Memories that belong in every context.
create index memories_stable on memories (subject_id) where taboo or content_type in ('preference', 'constraint');

create table memory_contents (
  -- deferred: a rebuild empties and refolds memories in one transaction
  memory_id uuid primary key references memories(id) deferrable initially deferred,
  text      text not null,
  task_hint text,
  emotion   jsonb,  -- {valence, arousal, label}: what its person felt about it (LT-01)
  metadata  jsonb,
  external_id text
);
create index memory_contents_by_external_id on memory_contents (external_id) where external_id is not null;

create table memory_terms (
  memory_id uuid primary key references memories(id) deferrable initially deferred,
  terms     bigint[] not null
);
create index memory_terms_by_term on memory_terms using gin (terms) with (fastupdate = off);

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
-- A namespace's keys are compared page by page, in their order.
create index vector_refs_by_key on vector_refs (store, namespace, pk);
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
  run              integer not null default 0,  -- how many times a restored backup made it necessary again
  version          integer not null default 1,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);
create index operations_by_subject on operations (subject_id, id desc);
create unique index operations_by_receipt on operations (receipt_id) where receipt_id is not null;
create index operations_unpurged on operations (erased_at) where erased_at is not null and purged_at is null;
create index operations_unfinished on operations (type) where status in ('pending', 'running', 'failed');
create index operations_by_erased_at on operations (erased_at) where erased_at is not null;
-- The newest comparison of slices, and the newest after forgets: no operation is ever deleted.
create index operations_of_slices on operations (id desc) where type = 'cleanup_reconcile'
  and (payload ->> 'of')::int > 1;
create index operations_after_forgets on operations (id desc) where type = 'cleanup_reconcile' and payload ? 'through';

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

-- One chain of what was accepted and what was proven, without content; a file outside the database holds it too.
create table ledger (
  seq        bigint not null,
  op_id      uuid not null,
  kind       text not null check (kind in ('accepted', 'verified', 'merged')),
  run        integer not null,
  receipt_id uuid not null,
  body       text not null,   -- canonical JSON (RFC 8785), exactly the bytes that were hashed
  prev_hash  bytea not null,
  hash       bytea not null unique,
  signature  bytea not null,
  -- Two histories of one installation may each have continued the chain. The one that was given up is kept as a branch,
  -- named by the hash of its last entry; the chain itself is the branch without a name.
  branch     bytea not null default '',
  primary key (branch, seq),
  unique (op_id, kind, run, branch)
);
create index ledger_by_receipt on ledger (receipt_id);
create index ledger_by_subject on ledger ((body::jsonb ->> 'subject')) where kind = 'accepted';

-- Packages people take with them, while they can be had: deleting a row destroys the only key its file can be read with.
create table exports (
  operation_id    uuid primary key references operations(id),
  subject_id      uuid not null references subjects(id),
  generation      integer not null,
  scope           text not null check (scope in ('user', 'conversation', 'selection')),
  conversation_id uuid,
  items           jsonb not null default '{}',  -- of a selection: ids by kind
  format          text not null check (format in ('zip', 'json', 'markdown', 'finclaw')),
  language        text not null check (language in ('en', 'zh')),
  namespace       uuid,         -- where the file lies, and under which key of `vector_refs`
  file_key        uuid unique,
  encryption_key  bytea,        -- drawn anew for every file: no two files share a nonce
  snapshot_at     timestamptz,  -- the moment the package shows
  bytes           bigint,
  sha256          bytea,
  ready_at        timestamptz,
  expires_at      timestamptz,
  created_at      timestamptz not null default now()
);
create index exports_by_subject on exports (subject_id, generation);
create index exports_by_expiry on exports (expires_at) where expires_at is not null;

-- Packages that wait to be imported: deleting a row destroys the only key its file can be read with.
create table imports (
  operation_id   uuid primary key references operations(id),
  subject_id     uuid not null references subjects(id),
  generation     integer not null,
  namespace      uuid not null,         -- where the file lies, and under which key of `vector_refs`
  file_key       uuid not null unique,
  encryption_key bytea not null,        -- of this file alone
  bytes          bigint not null,       -- before sealing
  restore_forgotten boolean not null default false,  -- whether its person wants back what went with everything
  created_at     timestamptz not null default now()
);
create index imports_by_subject on imports (subject_id, generation);
create index imports_by_age on imports (created_at);

-- Receipts that came with a package: another installation, or another account, vouches for them. No content.
create table imported_receipts (
  receipt_id  uuid not null,
  subject_id  uuid not null references subjects(id),
  generation  integer not null,
  record      text not null,            -- as it stood in the package
  imported_at timestamptz not null default now(),
  primary key (receipt_id, subject_id)
);
create index imported_receipts_by_subject on imported_receipts (subject_id, generation);

-- Planner samples are copies too: none are kept of what people wrote, of names, nor of what a request did. What people
-- wrote is stored as it was written, never compressed: a search of the files for a text is then a proof.
alter table conversation_contents alter column title set statistics 0, alter column title set storage external;
alter table message_contents alter column text set statistics 0, alter column name set statistics 0,
  alter column task_hint set statistics 0, alter column client_message_id set statistics 0,
  alter column text set storage external, alter column name set storage external,
  alter column task_hint set storage external, alter column client_message_id set storage external,
  alter column metadata set statistics 0, alter column metadata set storage external;
alter table feedback_contents alter column evidence_ref set statistics 0, alter column related_object_ref set statistics 0,
  alter column comment set statistics 0, alter column reason set statistics 0,
  alter column evidence_ref set storage external, alter column related_object_ref set storage external,
  alter column comment set storage external, alter column reason set storage external;
alter table preference_signal_contents alter column quote set statistics 0, alter column quote set storage external;
alter table summary_contents alter column text set statistics 0, alter column text set storage external;
alter table memory_contents alter column text set statistics 0, alter column task_hint set statistics 0,
  alter column emotion set statistics 0, alter column text set storage external,
  alter column task_hint set storage external, alter column emotion set storage external,
  alter column metadata set statistics 0, alter column metadata set storage external,
  alter column external_id set statistics 0, alter column external_id set storage external;
alter table message_terms alter column terms set statistics 0;
alter table memory_terms alter column terms set statistics 0;
alter table subjects alter column user_id set statistics 0;
alter table user_settings alter column user_id set statistics 0;
alter table idempotency_keys alter column principal set statistics 0, alter column answer set statistics 0;
alter table debug_records alter column request_id set statistics 0, alter column data set statistics 0;
alter table exports alter column encryption_key set statistics 0;
alter table imports alter column encryption_key set statistics 0;
