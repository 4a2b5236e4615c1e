-- To the day; no event, because nothing but the archive reads it.
create table memory_uses (
  memory_id  uuid primary key references memories (id) deferrable initially deferred,
  subject_id uuid not null,
  used_at    timestamptz not null
);
grant select, insert, update, delete on memory_uses to memory_center_app;
select guard('memory_uses'::regclass);
