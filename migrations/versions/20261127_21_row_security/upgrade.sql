-- memory_center_requests: what answers requests. It may do what memory_center_app may, with one person's rows.
-- memory_center_views: owns the views, so that the rows they read are filtered too.
do $$
declare name text;
begin
  foreach name in array array['memory_center_requests', 'memory_center_views'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
    execute format('grant %I to current_user', name);
    execute format('grant usage on schema public to %I', name);
  end loop;
end $$;
grant memory_center_app to memory_center_requests;

-- A part belongs to its memory, like a memory's words.
delete from document_parts p where not exists (select from memories m where m.id = p.memory_id);
alter table document_parts
  add constraint document_parts_memory_id_fkey foreign key (memory_id) references memories(id)
  deferrable initially deferred;

-- Whose an item is, asked before its person is known; the answer is an id.
create function owner_of(items regclass, item uuid) returns uuid
  language plpgsql stable security definer set search_path = public
as $$
declare owner uuid;
begin
  execute format('select subject_id from %s where id = $1', items) into owner using item;
  return owner;
end $$;
revoke execute on function owner_of(regclass, uuid) from public;
grant execute on function owner_of(regclass, uuid) to memory_center_app;

-- Guards every table of persons, and lets memory_center_views own every view. Called again after a migration that made
-- new ones.
--
-- A table with `subject_id` is guarded by it, a table of contents by the row it belongs to. Not guarded are tables of
-- ids, times and counts that are read before or without a person: of work, changes, answers, receipts and traces.
create function guard_rows() returns void language plpgsql as $$
declare
  theirs constant text := '(select nullif(current_setting(''mc.subject'', true), '''')::uuid)';
  unguarded constant text[] :=
    array['subjects', 'operations', 'operation_steps', 'outbox', 'idempotency_keys', 'ledger', 'events',
          'imported_receipts', 'debug_records'];
  found record;
begin
  for found in
    select c.oid::regclass as name, c.relname,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'subject_id') as personal,
           (select format('exists (select from %s parent where parent.%I = %s.%I)', f.confrelid::regclass,
                          parent.attname, c.relname, child.attname)
              from pg_constraint f
              join pg_attribute child on child.attrelid = c.oid and child.attnum = f.conkey[1]
              join pg_attribute parent on parent.attrelid = f.confrelid and parent.attnum = f.confkey[1]
              where f.conrelid = c.oid and f.contype = 'f' order by f.conname limit 1) as belongs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relrowsecurity
      and c.relname <> all (unguarded)
    order by c.relname
  loop
    continue when not found.personal and found.belongs is null;
    execute format('alter table %s enable row level security', found.name);
    execute format('create policy everybody on %s using (true) with check (true)', found.name);
    if found.personal then
      execute format('create policy one_person on %s as restrictive to memory_center_requests'
                     ' using (subject_id = %s) with check (subject_id = %s)', found.name, theirs, theirs);
      execute format('create policy one_person_viewed on %s as restrictive to memory_center_views using ('
                     'subject_id = %s or (select current_user)'
                     ' <> all (''{memory_center_requests,memory_center_recall}''))', found.name, theirs);
    else
      -- A row that the same statement made does not exist yet for a check, so only what is there is checked.
      execute format('create policy one_person on %s as restrictive to memory_center_requests'
                     ' using (%s) with check (true)', found.name, found.belongs);
    end if;
  end loop;

  grant create on schema public to memory_center_views;
  for found in
    select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and c.relowner <> 'memory_center_views'::regrole
  loop
    execute format('alter view %s owner to memory_center_views', found.name);
  end loop;
  revoke create on schema public from memory_center_views;
  grant select on all tables in schema public to memory_center_views;
end $$;
revoke execute on function guard_rows() from public;

select guard_rows();
