drop view visible_corrections;
drop table correction_contents;
