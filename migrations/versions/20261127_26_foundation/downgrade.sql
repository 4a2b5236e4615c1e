do $$
declare found record;
begin
  for found in select oid::regclass as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v' and relowner = 'memory_center_views'::regrole
  loop
    execute format('alter view %s owner to current_user', found.name);
  end loop;
  for found in select polrelid::regclass as name, polname from pg_policy
    where polname in ('everybody', 'one_person', 'one_person_viewed')
  loop
    execute format('drop policy %I on %s', found.polname, found.name);
    execute format('alter table %s disable row level security', found.name);
  end loop;
end $$;
revoke select on all tables in schema public from memory_center_views;
drop function guard(regclass);
drop function unguarded();
drop function guarded_tables();
drop function read_by_views();
drop function owner_of(regclass, uuid);
drop view visible_candidates, visible_drift, visible_thread_notes, visible_contexts, visible_tasks, visible_consents,
  visible_document_parts, visible_documents, visible_reflections, visible_trait_evidence, visible_trait_contexts,
  visible_traits, visible_trait_observations;
drop table hosts, rounds, document_parts, document_contents, documents, preference_hints, training_candidate_contents,
  training_candidates, persona_drift_contents, persona_drift, thread_note_contents, thread_notes, context_contents,
  user_contexts, tasks, profile_consents, trait_questions, unlearnable_traits, trait_recalls, trait_evidence,
  trait_contexts, trait_contents, traits, reflections, trait_observations;
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
