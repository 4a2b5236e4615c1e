alter view visible_messages reset (security_barrier);  -- changes nothing, but locks
alter view visible_memories reset (security_barrier);
lock table messages, memories, message_contents, message_terms, memory_contents, memory_terms in access exclusive mode;

alter table message_contents rename to message_contents_parted;
alter table message_terms rename to message_terms_parted;
alter table memory_contents rename to memory_contents_parted;
alter table memory_terms rename to memory_terms_parted;

create table message_contents (
  message_id        uuid not null,
  version           integer not null default 1,
  text              text not null,
  name              text,
  task_hint         text,
  client_message_id text,
  metadata          jsonb
);
create table message_terms (
  message_id uuid not null,
  seq        bigint not null,
  terms      bigint[] not null
);
create table memory_contents (
  memory_id   uuid not null,
  text        text not null,
  task_hint   text,
  emotion     jsonb,
  metadata    jsonb,
  external_id text
);
create table memory_terms (
  memory_id uuid not null,
  terms     bigint[] not null
);
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

insert into message_contents (message_id, version, text, name, task_hint, client_message_id, metadata)
  select message_id, version, text, name, task_hint, client_message_id, metadata from message_contents_parted;
insert into message_terms (message_id, seq, terms) select message_id, seq, terms from message_terms_parted;
insert into memory_contents (memory_id, text, task_hint, emotion, metadata, external_id)
  select memory_id, text, task_hint, emotion, metadata, external_id from memory_contents_parted;
insert into memory_terms (memory_id, terms) select memory_id, terms from memory_terms_parted;

create or replace view visible_messages as
  select m.id, m.subject_id, m.generation, m.conversation_id, m.seq, m.turn, m.session, m.role, m.completed,
         m.summarize, m.index_episode, m.learn, m.spoken_at, m.recorded_at,
         t.text, t.name, t.task_hint, t.client_message_id, m.names_task, t.metadata
  from messages m
  join visible_conversations c on c.id = m.conversation_id and m.seq > c.cleared_through
  join message_contents t on t.message_id = m.id
  where m.generation = c.generation
    and not exists (select from hides h where h.kind = 'message' and h.item_id = m.id);
create or replace view visible_memories as
  select m.id, m.subject_id, m.generation, m.content_type, m.scope, m.project_id, m.origin, m.importance, m.taboo,
         m.disabled, m.confirmed, m.supersedes, m.conversation_id, m.spoken_at, m.version, m.created_at, m.updated_at,
         m.contradicts, m.archived, m.method, m.last_supported_at, t.text, t.task_hint, m.level, t.emotion, t.metadata,
         t.external_id
  from memories m
  join subjects s on s.id = m.subject_id and s.generation = m.generation
  join memory_contents t on t.memory_id = m.id
  where not exists (select from hides h where h.kind = 'memory' and h.item_id = m.id);

drop table message_contents_parted, message_terms_parted, memory_contents_parted, memory_terms_parted;
alter table message_contents add primary key (message_id), add foreign key (message_id) references messages(id);
alter table message_terms add primary key (message_id), add foreign key (message_id) references messages(id);
alter table memory_contents add primary key (memory_id),
  add foreign key (memory_id) references memories(id) deferrable initially deferred;
alter table memory_terms add primary key (memory_id),
  add foreign key (memory_id) references memories(id) deferrable initially deferred;
create index message_terms_by_term on message_terms using gin (terms) with (fastupdate = off);
create index memory_terms_by_term on memory_terms using gin (terms) with (fastupdate = off);
create index memory_contents_by_external_id on memory_contents (external_id) where external_id is not null;
create index messages_by_subject on messages (subject_id, generation);
create index memories_by_subject on memories (subject_id, generation, id desc);
drop index messages_of_person, memories_of_person;

grant insert, delete, maintain on message_contents, message_terms, memory_contents, memory_terms to memory_center_app;
grant select (message_id, version), update (text, version, name, task_hint, metadata) on message_contents
  to memory_center_app;
grant select (message_id) on message_terms to memory_center_app;
grant select (memory_id), update (metadata) on memory_contents to memory_center_app;
grant select (memory_id) on memory_terms to memory_center_app;

drop function messages_by_terms(uuid, bigint[], integer), memories_by_terms(uuid, bigint[], integer);
create or replace function messages_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, seq bigint)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.seq from unnest(wanted) as w(term),
    lateral (select t.seq from message_terms t where t.terms @> array[w.term] limit at_most) t
$$;
create or replace function memories_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, memory_id uuid)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.memory_id from unnest(wanted) as w(term),
    lateral (select t.memory_id from memory_terms t where t.terms @> array[w.term] limit at_most) t
$$;
revoke execute on function messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer) from public;
grant execute on function messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer)
  to memory_center_app, memory_center_recall;

create or replace function guarded_tables()
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

grant select on message_contents, message_terms, memory_contents, memory_terms to memory_center_views;
select guard(name::regclass) from unnest('{message_contents,message_terms,memory_contents,memory_terms}'::text[]) name;
