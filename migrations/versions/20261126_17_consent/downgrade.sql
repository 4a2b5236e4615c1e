delete from exports where format = 'finclaw';
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('zip', 'json', 'markdown'));
drop view visible_candidates, visible_drift, visible_thread_notes, visible_contexts, visible_tasks, visible_consents;
drop table preference_hints, training_candidate_contents, training_candidates, persona_drift_contents, persona_drift,
  thread_note_contents, thread_notes, context_contents, user_contexts, tasks, profile_consents;
delete from hides where kind in ('context', 'thread_note', 'drift', 'candidate');
delete from lineage where derived_kind in ('drift') or source_kind in ('thread_note');
delete from events where stream like 'consent:%' or stream like 'context:%' or stream like 'drift:%'
  or stream like 'task:%' or stream like 'candidate:%';
alter table subjects drop column stub_of;
