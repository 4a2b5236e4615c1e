drop table memory_uses;
