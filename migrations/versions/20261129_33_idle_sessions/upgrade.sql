create index conversations_unanswered on conversations (updated_at)
  where turn_open and turn_has_user and erased_at is null;
