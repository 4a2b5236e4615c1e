do $$
declare found record;
begin
  for found in select oid::regclass as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v' and relowner = 'memory_center_views'::regrole
  loop
    execute format('alter view %s owner to current_user', found.name);
  end loop;
  for found in select polrelid::regclass as name, polname from pg_policy
    where polname in ('everybody', 'one_person', 'one_person_viewed')
  loop
    execute format('drop policy %I on %s', found.polname, found.name);
    execute format('alter table %s disable row level security', found.name);
  end loop;
end $$;
revoke select on all tables in schema public from memory_center_views;
drop function guard(regclass);
drop function unguarded();
drop function guarded_tables();
drop function read_by_views();
drop function owner_of(regclass, uuid);
