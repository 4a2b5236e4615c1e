-- The large tables of what people wrote, in parts by person. A purge rewrites, and locks, only the parts of people who
-- forgot something, one after the other; a search for words reads one part.

-- All locks first, in the order in which the product takes them, so that nobody can deadlock with the copying below; and
-- if a lock is not free within a second, nothing has been copied yet.
alter view visible_messages reset (security_barrier);  -- changes nothing, but locks
alter view visible_memories reset (security_barrier);
lock table messages, memories, message_contents, message_terms, memory_contents, memory_terms in access exclusive mode;

alter table message_contents rename to message_contents_whole;
alter table message_terms rename to message_terms_whole;
alter table memory_contents rename to memory_contents_whole;
alter table memory_terms rename to memory_terms_whole;

-- A row inserted without a `subject_id` (by a process of the version before) belongs to the person for whom the
-- transaction acts.
create table message_contents (
  message_id        uuid not null,
  subject_id        uuid not null default nullif(current_setting('mc.subject', true), '')::uuid,
  version           integer not null default 1,
  text              text not null,
  name              text,
  task_hint         text,
  client_message_id text,
  metadata          jsonb
) partition by hash (subject_id);
create table message_terms (
  message_id uuid not null,
  subject_id uuid not null default nullif(current_setting('mc.subject', true), '')::uuid,
  seq        bigint not null,
  terms      bigint[] not null
) partition by hash (subject_id);
create table memory_contents (
  memory_id   uuid not null,
  subject_id  uuid not null default nullif(current_setting('mc.subject', true), '')::uuid,
  text        text not null,
  task_hint   text,
  emotion     jsonb,
  metadata    jsonb,
  external_id text
) partition by hash (subject_id);
create table memory_terms (
  memory_id  uuid not null,
  subject_id uuid not null default nullif(current_setting('mc.subject', true), '')::uuid,
  terms      bigint[] not null
) partition by hash (subject_id);

do $$
declare parent text; parts integer;
begin
  -- Messages have the most words, and to index words takes longest.
  for parent, parts in
    values ('message_contents', 16), ('message_terms', 64), ('memory_contents', 16), ('memory_terms', 16)
  loop
    for part in 0..parts - 1 loop
      execute format('create table %I partition of %I for values with (modulus %s, remainder %s)',
                     format('%s_%s', parent, lpad(part::text, 2, '0')), parent, parts, part);
      execute format('grant maintain on %I to memory_center_app', format('%s_%s', parent, lpad(part::text, 2, '0')));
    end loop;
  end loop;
end $$;

alter table message_contents alter column text set statistics 0, alter column name set statistics 0,
  alter column task_hint set statistics 0, alter column client_message_id set statistics 0,
  alter column metadata set statistics 0, alter column text set storage external,
  alter column name set storage external, alter column task_hint set storage external,
  alter column client_message_id set storage external, alter column metadata set storage external;
alter table memory_contents alter column text set statistics 0, alter column task_hint set statistics 0,
  alter column emotion set statistics 0, alter column metadata set statistics 0, alter column external_id set statistics 0,
  alter column text set storage external, alter column task_hint set storage external,
  alter column emotion set storage external, alter column metadata set storage external,
  alter column external_id set storage external;
alter table message_terms alter column terms set statistics 0;
alter table memory_terms alter column terms set statistics 0;

insert into message_contents (message_id, subject_id, version, text, name, task_hint, client_message_id, metadata)
  select t.message_id, m.subject_id, t.version, t.text, t.name, t.task_hint, t.client_message_id, t.metadata
  from message_contents_whole t join messages m on m.id = t.message_id;
insert into message_terms (message_id, subject_id, seq, terms)
  select t.message_id, m.subject_id, t.seq, t.terms
  from message_terms_whole t join messages m on m.id = t.message_id;
insert into memory_contents (memory_id, subject_id, text, task_hint, emotion, metadata, external_id)
  select t.memory_id, m.subject_id, t.text, t.task_hint, t.emotion, t.metadata, t.external_id
  from memory_contents_whole t join memories m on m.id = t.memory_id;
insert into memory_terms (memory_id, subject_id, terms)
  select t.memory_id, m.subject_id, t.terms
  from memory_terms_whole t join memories m on m.id = t.memory_id;

create or replace view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task, t.metadata
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id and t.subject_id = m.subject_id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);

create or replace view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion, t.metadata,
         t.external_id
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id and t.subject_id = m.subject_id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);

drop table message_contents_whole, message_terms_whole, memory_contents_whole, memory_terms_whole;

create unique index messages_of_person on messages (subject_id, id);
create unique index memories_of_person on memories (subject_id, id);
drop index messages_by_subject, memories_by_subject;

alter table message_contents add primary key (message_id, subject_id),
  add foreign key (subject_id, message_id) references messages (subject_id, id);
alter table message_terms add primary key (message_id, subject_id),
  add foreign key (subject_id, message_id) references messages (subject_id, id);
-- Deferred: a rebuild empties and refolds memories in one transaction.
alter table memory_contents add primary key (memory_id, subject_id),
  add foreign key (subject_id, memory_id) references memories (subject_id, id) deferrable initially deferred;
alter table memory_terms add primary key (memory_id, subject_id),
  add foreign key (subject_id, memory_id) references memories (subject_id, id) deferrable initially deferred;
-- No pending list: what was deleted must not linger in one, and a search must not read one.
create index message_terms_by_term on message_terms using gin (terms) with (fastupdate = off);
create index memory_terms_by_term on memory_terms using gin (terms) with (fastupdate = off);
create index memory_contents_by_external_id on memory_contents (external_id) where external_id is not null;

grant insert, delete on message_contents, message_terms, memory_contents, memory_terms to memory_center_app;
grant select (message_id, subject_id, version), update (text, version, name, task_hint, metadata) on message_contents
  to memory_center_app;
grant select (message_id, subject_id) on message_terms to memory_center_app;
grant select (memory_id, subject_id), update (metadata) on memory_contents to memory_center_app;
grant select (memory_id, subject_id) on memory_terms to memory_center_app;

-- Hints, as a vector store's: nothing is served of them without its visible row. At most `at_most` of a term, so that
-- frequent ones, which tell little, cost no more than rare ones.
create function messages_by_terms(of_subject uuid, wanted bigint[], at_most integer)
  returns table (term bigint, seq bigint)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.seq from unnest(wanted) as w(term),
    lateral (select t.seq from message_terms t where t.subject_id = of_subject and t.terms @> array[w.term]
             limit at_most) t
$$;
create function memories_by_terms(of_subject uuid, wanted bigint[], at_most integer)
  returns table (term bigint, memory_id uuid)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.memory_id from unnest(wanted) as w(term),
    lateral (select t.memory_id from memory_terms t where t.subject_id = of_subject and t.terms @> array[w.term]
             limit at_most) t
$$;
revoke execute on function messages_by_terms(uuid, bigint[], integer), memories_by_terms(uuid, bigint[], integer)
  from public;
grant execute on function messages_by_terms(uuid, bigint[], integer), memories_by_terms(uuid, bigint[], integer)
  to memory_center_app, memory_center_recall;

-- For processes of the version before: their searches name the person once for a connection.
create or replace function messages_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, seq bigint)
  language sql stable security definer set search_path = public rows 500
as $$
  select * from messages_by_terms(nullif(current_setting('mc.subject', true), '')::uuid, wanted, at_most)
$$;
create or replace function memories_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, memory_id uuid)
  language sql stable security definer set search_path = public rows 500
as $$
  select * from memories_by_terms(nullif(current_setting('mc.subject', true), '')::uuid, wanted, at_most)
$$;

-- As before, and also of partitioned tables, which are guarded as a whole: nobody may read a part of one by its name.
create or replace function guarded_tables()
  returns table (name regclass, personal boolean, enabled boolean, policies bigint, theirs text)
  language sql stable set search_path = public
as $$
  with ours as (
    select c.oid, c.relname, c.relrowsecurity from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
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

grant select on message_contents, message_terms, memory_contents, memory_terms to memory_center_views;
select guard(name::regclass) from unnest('{message_contents,message_terms,memory_contents,memory_terms}'::text[]) name;
