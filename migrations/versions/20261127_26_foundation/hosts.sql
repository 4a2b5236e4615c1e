-- Who works on this database, so that hosts that do not share what they must share are noticed.
create table hosts (
  id       uuid primary key,     -- of the data directory
  version  text not null,
  ledger   text not null,        -- where: 'file', or a digest of the bucket's place
  packages text not null,        -- as `ledger`, with 'folder'
  vectors  text not null check (vectors in ('lite', 'server')),
  seen_at  timestamptz not null
);
grant select, insert, update, delete on hosts to memory_center_app;

-- When each recurring part of the scheduler's work was done last: of several schedulers one does it.
create table rounds (
  part        text primary key,
  done_at     timestamptz not null,
  taken_until timestamptz not null   -- somebody is doing it
);
grant select, insert, update on rounds to memory_center_app;
