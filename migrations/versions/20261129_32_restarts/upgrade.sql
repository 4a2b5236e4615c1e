-- By operation: the person wanted nothing inferred from what was recorded until that time.
alter table trait_questions add restarts jsonb not null default '{}';
update trait_questions set restarts = jsonb_build_object('00000000-0000-0000-0000-000000000000', since)
  where since is not null;
alter table trait_questions drop since;
