-- What recall finds items by, beside vectors: keyed digests of their words, which mean nothing outside their namespace.
create table message_terms (
  message_id uuid primary key references messages(id),
  seq        bigint not null,   -- the message's, so that hits need no other row
  terms      bigint[] not null
);
create table memory_terms (
  -- deferred: a rebuild empties and refolds memories in one transaction
  memory_id uuid primary key references memories(id) deferrable initially deferred,
  terms     bigint[] not null
);
-- No pending list: what was deleted must not linger in one, and a search must not read one.
create index message_terms_by_term on message_terms using gin (terms) with (fastupdate = off);
create index memory_terms_by_term on memory_terms using gin (terms) with (fastupdate = off);
alter table message_terms alter column terms set statistics 0;
alter table memory_terms alter column terms set statistics 0;

-- Hints, as a vector store's: nothing is served of them without its visible row. At most `at_most` of a term, so that
-- frequent ones, which tell little, cost no more than rare ones.
create function messages_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, seq bigint)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.seq from unnest(wanted) as w(term),
    lateral (select t.seq from message_terms t where t.terms @> array[w.term] limit at_most) t
$$;
create function memories_by_terms(wanted bigint[], at_most integer)
  returns table (term bigint, memory_id uuid)
  language sql stable security definer set search_path = public rows 500
as $$
  select w.term, t.memory_id from unnest(wanted) as w(term),
    lateral (select t.memory_id from memory_terms t where t.terms @> array[w.term] limit at_most) t
$$;
revoke execute on function messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer) from public;
grant execute on function messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer)
  to memory_center_app, memory_center_recall;

grant insert, delete on message_terms, memory_terms to memory_center_app;
grant select (message_id) on message_terms to memory_center_app;
grant select (memory_id) on memory_terms to memory_center_app;
grant maintain on message_terms, memory_terms to memory_center_app;

-- Memories that belong in every context.
create index memories_stable on memories (subject_id)
  where taboo or content_type in ('preference', 'constraint') and (confirmed or origin in ('stated', 'learned'));

-- Which of some units are superseded: as superseded_memories, but it costs what is asked about, not what a person has.
-- plpgsql keeps its plan; a function in SQL with `set` is planned at each call.
create function superseded_among(units uuid[]) returns setof uuid
  language plpgsql stable security definer set search_path = public rows 10
as $$
begin
  return query
    with recursive above(unit, id) as (
      select m.supersedes, m.id from memories m where m.supersedes = any(units)
      union
      select a.unit, m.id from above a join memories m on m.supersedes = a.id
      where not exists (select from visible_memories v where v.id = a.id)
    )
    select distinct a.unit from above a where exists (select from visible_memories v where v.id = a.id);
end $$;
revoke execute on function superseded_among(uuid[]) from public;
grant execute on function superseded_among(uuid[]) to memory_center_app, memory_center_recall;
