-- Two group roles, taken on by every connection (`set role`): the product cannot read content around the views.
do $$
declare name text;
begin
  foreach name in array array['memory_center_app', 'memory_center_recall'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
    execute format('grant %I to current_user', name);
    execute format('grant usage on schema public to %I', name);
  end loop;
end $$;

grant select, insert, update, delete on
  subjects, user_settings, events, conversations, messages, erased_messages, unlearnable_spans, withheld, feedback,
  preference_signals, summaries, episodes, memories, lineage, hides, vector_refs, operations, operation_steps, outbox,
  idempotency_keys, debug_records, exports, imports
  to memory_center_app;
grant select, insert, delete on imported_receipts to memory_center_app;

-- The ledger only grows.
grant select, insert on ledger to memory_center_app;

-- Content: written and deleted by key, read through visible_* only.
grant insert, delete on conversation_contents, message_contents, message_terms, feedback_contents,
  preference_signal_contents, summary_contents, memory_contents, memory_terms to memory_center_app;
grant select (conversation_id, at_seq) on conversation_contents to memory_center_app;
grant select (message_id, version), update (text, version, name, task_hint, metadata) on message_contents
  to memory_center_app;
grant select (message_id) on message_terms to memory_center_app;
grant select (feedback_id) on feedback_contents to memory_center_app;
grant select (signal_id) on preference_signal_contents to memory_center_app;
grant select (summary_id) on summary_contents to memory_center_app;
grant select (memory_id), update (metadata) on memory_contents to memory_center_app;
grant select (memory_id) on memory_terms to memory_center_app;

-- Physical purge: VACUUM FULL of whatever held content or a name.
grant maintain on conversation_contents, message_contents, message_terms, feedback_contents, preference_signal_contents,
  summary_contents, memory_contents, memory_terms, exports, imports, subjects, user_settings, idempotency_keys,
  debug_records, conversations to memory_center_app;

grant select on visible_subjects, visible_settings, visible_conversations, visible_messages, visible_episodes,
  visible_summaries, visible_feedback, visible_preference_signals, visible_memories, visible_vectors, visible_lineage
  to memory_center_app, memory_center_recall;
grant select on visible_withheld, mem0_mapping to memory_center_app;

revoke execute on function superseded_memories(uuid), superseded_among(uuid[]),
  messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer) from public;
grant execute on function superseded_memories(uuid), superseded_among(uuid[]),
  messages_by_terms(bigint[], integer), memories_by_terms(bigint[], integer)
  to memory_center_app, memory_center_recall;
