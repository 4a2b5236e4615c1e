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
  subjects, user_settings, events, conversations, messages, erased_messages, unlearnable_spans, feedback, summaries,
  episodes, memories, lineage, hides, vector_refs, operations, operation_steps, outbox, idempotency_keys, debug_records
  to memory_center_app;

-- Content: written and deleted by key, read through visible_* only.
grant insert, delete on conversation_contents, message_contents, feedback_contents, summary_contents, memory_contents
  to memory_center_app;
grant select (conversation_id, at_seq) on conversation_contents to memory_center_app;
grant select (message_id, version), update (text, version) on message_contents to memory_center_app;
grant select (feedback_id) on feedback_contents to memory_center_app;
grant select (summary_id) on summary_contents to memory_center_app;
grant select (memory_id) on memory_contents to memory_center_app;

grant select on visible_subjects, visible_settings, visible_conversations, visible_messages, visible_episodes,
  visible_summaries, visible_feedback, visible_memories, visible_vectors, visible_lineage,
  mem0_mapping to memory_center_app;

grant select on visible_subjects, visible_settings, visible_conversations, visible_messages, visible_episodes,
  visible_summaries, visible_feedback, visible_memories, visible_vectors, visible_lineage
  to memory_center_recall;

revoke execute on function superseded_memories(uuid) from public;
grant execute on function superseded_memories(uuid) to memory_center_app, memory_center_recall;
