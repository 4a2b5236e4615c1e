create index operations_by_erased_at on operations (erased_at) where erased_at is not null;
