drop table imported_receipts, imports;
