drop index ledger_by_subject;
