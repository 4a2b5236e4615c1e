drop view visible_reflections, visible_trait_evidence, visible_trait_contexts, visible_traits, visible_trait_observations;
drop table unlearnable_traits, trait_recalls, trait_evidence, trait_contexts, trait_contents, traits, reflections,
  trait_observations;
drop view visible_settings;
alter table user_settings drop column traits_enabled, drop column time_zone;
create view visible_settings as
  select subject_id, user_id, summary_enabled, episodic_enabled, longterm_enabled, injection_enabled,
         preference_learning_enabled, privacy_mode_enabled, preference_learning_threshold, version, updated_at
  from user_settings;
grant select on visible_settings to memory_center_app, memory_center_recall;
delete from hides where kind in ('trait', 'observation');
delete from lineage where derived_kind in ('trait', 'observation') or source_kind in ('trait', 'observation');
delete from outbox where kind = 'trait.reflect';
delete from events where stream like 'trait:%' or stream like 'reflection:%';
