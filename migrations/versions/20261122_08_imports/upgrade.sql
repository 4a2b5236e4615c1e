-- Packages that wait to be imported: deleting a row destroys the only key its file can be read with.
create table imports (
  operation_id   uuid primary key references operations(id),
  subject_id     uuid not null references subjects(id),
  generation     integer not null,
  namespace      uuid not null,         -- where the file lies, and under which key of `vector_refs`
  file_key       uuid not null unique,
  encryption_key bytea not null,        -- of this file alone
  bytes          bigint not null,       -- before sealing
  created_at     timestamptz not null default now()
);
create index imports_by_subject on imports (subject_id, generation);
create index imports_by_age on imports (created_at);
alter table imports alter column encryption_key set statistics 0;

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

grant select, insert, update, delete, maintain on imports to memory_center_app;
grant select, insert, delete on imported_receipts to memory_center_app;
