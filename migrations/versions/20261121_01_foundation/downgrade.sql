drop function if exists superseded_memories(uuid);
drop view if exists mem0_mapping, visible_lineage, visible_vectors, visible_memories,
  visible_feedback, visible_summaries, visible_episodes, visible_messages, visible_conversations, visible_settings,
  visible_subjects;
drop table if exists debug_records, idempotency_keys, outbox, operation_steps, operations, vector_refs, hides, lineage,
  memory_contents, memories, episodes, summary_contents, summaries, feedback_contents, feedback, unlearnable_spans,
  erased_messages, message_contents, messages, conversation_contents, conversations, events, user_settings, subjects;
