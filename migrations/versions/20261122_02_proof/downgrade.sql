-- Needs that no account was closed: a stub without a user does not fit the schema before.
revoke maintain on conversation_contents, message_contents, feedback_contents, summary_contents, memory_contents,
  subjects, user_settings, idempotency_keys, debug_records, conversations from memory_center_app;
drop table ledger;
drop index operations_by_receipt, operations_unpurged, operations_unfinished;
alter table operations drop column run;
delete from unlearnable_spans a using unlearnable_spans b
  where (a.message_id, a.quote_start, a.quote_end) = (b.message_id, b.quote_start, b.quote_end) and a.op_id > b.op_id;
alter table unlearnable_spans drop constraint unlearnable_spans_pkey;
drop index unlearnable_spans_by_operation;
alter table unlearnable_spans drop column op_id, add primary key (message_id, quote_start, quote_end);
delete from outbox where subject_id = '00000000-0000-0000-0000-000000000000';
delete from operation_steps where operation_id in
  (select id from operations where subject_id = '00000000-0000-0000-0000-000000000000');
delete from operations where subject_id = '00000000-0000-0000-0000-000000000000';
delete from events where subject_id = '00000000-0000-0000-0000-000000000000';
delete from subjects where id = '00000000-0000-0000-0000-000000000000';
alter table subjects drop column closed_as, alter column user_id set not null, alter column subject_key set not null;
