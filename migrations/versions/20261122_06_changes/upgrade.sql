-- What changed for a person since an event: they are told while they look, several times a second.
-- In an order the primary key does not have: reading that one backwards would pass everybody else's newest events.
create index events_by_position on events (subject_id, position desc nulls last);
