-- Only while there was never a fork: neither a branch nor what names it has a place below.
alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check check (kind in ('accepted', 'verified'));
alter table ledger drop constraint ledger_op_id_kind_run_branch_key;
alter table ledger add unique (op_id, kind, run);
alter table ledger drop constraint ledger_pkey;
alter table ledger add primary key (seq);
alter table ledger drop column branch;
drop table rounds;
drop table hosts;
