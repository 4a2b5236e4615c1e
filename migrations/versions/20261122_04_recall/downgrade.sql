drop function superseded_among(uuid[]);
drop index memories_stable;
drop function messages_by_terms(bigint[], integer);
drop function memories_by_terms(bigint[], integer);
drop table message_terms, memory_terms;
