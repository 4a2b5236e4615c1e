alter table trait_questions
  add column notes_read timestamptz,
  add column looked_at timestamptz;  -- by the last reflection, whether or not it found anything
insert into trait_questions (subject_id, generation, notes_read)
select subject_id, generation, max(recorded_at) from reflections group by subject_id, generation
on conflict (subject_id, generation) do update set notes_read = excluded.notes_read;
-- A namespace's keys are compared page by page, in their order.
create index vector_refs_by_key on vector_refs (store, namespace, pk);
drop index vector_refs_by_namespace;
-- A message that is completed may come with them.
grant update (name, task_hint) on message_contents to memory_center_app;
