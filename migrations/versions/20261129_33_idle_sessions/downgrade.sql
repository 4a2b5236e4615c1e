drop index conversations_unanswered;
