drop index events_by_position;
