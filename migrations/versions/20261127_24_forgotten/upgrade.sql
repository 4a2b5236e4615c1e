create index operations_by_erased_at on operations (erased_at) where erased_at is not null;
-- The newest comparison of slices, and the newest after forgets: no operation is ever deleted.
create index operations_of_slices on operations (id desc) where type = 'cleanup_reconcile'
  and (payload ->> 'of')::int > 1;
create index operations_after_forgets on operations (id desc) where type = 'cleanup_reconcile' and payload ? 'through';
