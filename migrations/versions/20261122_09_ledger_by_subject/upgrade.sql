-- What was forgotten of one person: an import asks, and the ledger only grows.
create index ledger_by_subject on ledger ((body::jsonb ->> 'subject')) where kind = 'accepted';
