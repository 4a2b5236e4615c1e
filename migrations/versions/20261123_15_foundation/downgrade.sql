drop view if exists mem0_mapping, visible_lineage, visible_vectors, visible_preference_signals, visible_withheld,
  visible_memories, visible_feedback, visible_summaries, visible_episodes, visible_messages, visible_conversations,
  visible_settings, visible_subjects cascade;
drop function if exists superseded_memories(uuid), superseded_among(uuid[]), messages_by_terms(bigint[], integer),
  memories_by_terms(bigint[], integer);
drop table if exists imported_receipts, imports, exports, ledger, debug_records, idempotency_keys, outbox,
  operation_steps, operations, vector_refs, hides, lineage, memory_terms, memory_contents, memories, episodes,
  summary_contents, summaries, preference_signal_contents, preference_signals, feedback_contents, feedback,
  unlearnable_spans, withheld, erased_messages, message_terms, message_contents, messages, conversation_contents,
  conversations, events, user_settings, subjects;
