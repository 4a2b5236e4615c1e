create index vector_refs_by_namespace on vector_refs (namespace, store);
drop index vector_refs_by_key;
alter table trait_questions drop column notes_read;
