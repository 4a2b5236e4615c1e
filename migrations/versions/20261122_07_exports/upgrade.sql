-- Packages people take with them, while they can be had: deleting a row destroys the only key its file can be read with.
create table exports (
  operation_id    uuid primary key references operations(id),
  subject_id      uuid not null references subjects(id),
  generation      integer not null,
  scope           text not null check (scope in ('user', 'conversation', 'selection')),
  conversation_id uuid,
  items           jsonb not null default '{}',  -- of a selection: ids by kind
  format          text not null check (format in ('zip', 'json', 'markdown')),
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
alter table exports alter column encryption_key set statistics 0;

grant select, insert, update, delete, maintain on exports to memory_center_app;
