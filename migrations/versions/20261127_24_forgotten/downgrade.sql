drop index operations_by_erased_at;
