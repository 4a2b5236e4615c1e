-- What requests and searches take on: they may do what memory_center_app and memory_center_recall may, with one
-- person's rows. memory_center_views owns the views, so that the rows they read are filtered too.
do $$
declare name text;
begin
  foreach name in array array['memory_center_requests', 'memory_center_searches', 'memory_center_views'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
    execute format('grant %I to current_user', name);
    execute format('grant usage on schema public to %I', name);
  end loop;
end $$;
grant memory_center_app to memory_center_requests;
grant memory_center_recall to memory_center_searches;

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

-- Our tables of persons, each with the condition on rows that are a person's: by `subject_id`, or for contents by the
-- row they belong to. Without: tables of ids, times and counts that are read before or without a person, of work,
-- changes, answers, receipts and traces.
create function guarded_tables()
  returns table (name regclass, personal boolean, enabled boolean, policies bigint, theirs text)
  language sql stable set search_path = public
as $$
  with ours as (
    select c.oid, c.relname, c.relrowsecurity from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relowner = (select relowner from pg_class where oid = 'public.subjects'::regclass)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      and c.relname <> all ('{subjects,operations,operation_steps,outbox,hides,idempotency_keys,ledger,events,'
                            'imported_receipts,debug_records,hosts,rounds,alembic_version}')
  ), belonging as (
    select distinct on (f.conrelid) f.conrelid, child.attname as key, f.confrelid::regclass::text as parent
    from pg_constraint f join pg_attribute child on child.attrelid = f.conrelid and child.attnum = f.conkey[1]
    where f.contype = 'f' order by f.conrelid, f.conname
  )
  select o.oid::regclass as name, personal.yes as personal, o.relrowsecurity as enabled,
         (select count(*) from pg_policy p where p.polrelid = o.oid) as policies,
         case when personal.yes then 'subject_id = (select nullif(current_setting(''mc.subject'', true), '''')::uuid)'
              else format('exists (select from %s parent where parent.id = %I.%I)',
                coalesce(b.parent, 'memories'), o.relname, coalesce(b.key, 'memory_id')) end as theirs
  from ours o
  cross join lateral (select exists (
    select from pg_attribute a where a.attrelid = o.oid and a.attname = 'subject_id') as yes) as personal
  left join belonging b on b.conrelid = o.oid
  where personal.yes or b.parent is not null
    or o.relname = 'document_parts'  -- has no foreign key; belongs to its memory
$$;

-- What our views read.
create function read_by_views() returns table (name regclass, source regclass) language sql stable
  set search_path = public
as $$
  select distinct c.oid::regclass, d.refobjid::regclass
  from pg_class c
  join pg_rewrite r on r.ev_class = c.oid
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
    and d.refobjid <> c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
    and (c.relname like 'visible\_%' or c.relname = 'mem0_mapping')
$$;

-- The tables and views that `guard` has to see to: new ones, and those of a backup that was restored without its roles,
-- which loses policies, owners and grants.
create function unguarded() returns setof regclass language sql stable security definer set search_path = public as $$
  select g.name from guarded_tables() g where not g.enabled or g.policies < case when g.personal then 3 else 2 end
  union
  select v.name from read_by_views() v join pg_class c on c.oid = v.name
  where c.relowner <> 'memory_center_views'::regrole
    or not has_table_privilege('memory_center_views', v.source, 'select')
$$;
revoke execute on function unguarded(), guarded_tables(), read_by_views() from public;
grant execute on function unguarded() to memory_center_app;

-- Guards one of them. `python -m migrations` does it for each in a transaction of its own, so that a table is locked
-- for a moment and two are never locked at once.
create function guard(unguarded regclass) returns void language plpgsql as $$
declare found record; source regclass;
begin
  select * into found from guarded_tables() g where g.name = unguarded;
  if found.name is null then
    for source in select v.source from read_by_views() v where v.name = unguarded loop
      execute format('grant select on %s to memory_center_views', source);
    end loop;
    grant create on schema public to memory_center_views;
    execute format('alter view %s owner to memory_center_views', unguarded);
    revoke create on schema public from memory_center_views;
    return;
  end if;
  execute format('drop policy if exists everybody on %s', found.name);
  execute format('drop policy if exists one_person on %s', found.name);
  execute format('drop policy if exists one_person_viewed on %s', found.name);
  execute format('create policy everybody on %s using (true) with check (true)', found.name);
  -- A row that the same statement made does not exist yet for a check: of contents only what is there is checked.
  execute format('create policy one_person on %s as restrictive to memory_center_requests'
                 ' using (%s) with check (%s)', found.name, found.theirs,
                 case when found.personal then found.theirs else 'true' end);
  if found.personal then
    execute format('create policy one_person_viewed on %s as restrictive to memory_center_views using ('
                   '%s or (select current_user) <> all (''{memory_center_requests,memory_center_searches}''))',
                   found.name, found.theirs);
  end if;
  execute format('alter table %s enable row level security', found.name);
end $$;
revoke execute on function guard(regclass) from public;
