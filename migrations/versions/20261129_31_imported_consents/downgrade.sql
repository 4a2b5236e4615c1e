drop index profile_consents_given_here;
delete from profile_consents one using profile_consents other
  where one.imported and other.imported and one.subject_id = other.subject_id and one.generation = other.generation
    and one.version = other.version and one.id > other.id;
alter table profile_consents add unique (subject_id, generation, version, imported);
