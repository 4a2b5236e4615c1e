alter table profile_consents drop constraint profile_consents_subject_id_generation_version_imported_key;
create unique index profile_consents_given_here on profile_consents (subject_id, generation, version)
  where not imported;
