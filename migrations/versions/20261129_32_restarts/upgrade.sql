-- By operation: the person wanted nothing inferred from what was recorded until that time. `since` says so for good, and
-- for processes of the version before.
alter table trait_questions add restarts jsonb not null default '{}';
