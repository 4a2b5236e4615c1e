update trait_questions set since = greatest(since, (
  select max(cast(until as timestamptz)) from jsonb_each_text(restarts) as r(operation, until)));
alter table trait_questions drop restarts;
