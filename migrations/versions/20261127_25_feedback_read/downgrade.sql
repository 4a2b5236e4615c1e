revoke update (name, task_hint) on message_contents from memory_center_app;
create index vector_refs_by_namespace on vector_refs (namespace, store);
drop index vector_refs_by_key;
alter table trait_questions drop column notes_read, drop column looked_at;
