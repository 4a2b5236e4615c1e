-- What a person asked to have corrected, in their words: it goes once it was, or when it cannot be.
create table correction_contents (
  operation_id uuid primary key references operations(id),
  subject_id   uuid not null,
  generation   integer not null,
  about        text not null,
  statement    text not null
);
create index correction_contents_by_subject on correction_contents (subject_id, generation);
alter table correction_contents alter column about set storage external, alter column statement set storage external;
alter table correction_contents alter column about set statistics 0, alter column statement set statistics 0;

create view visible_corrections as
  select c.operation_id, c.subject_id, c.about, c.statement
  from correction_contents c join subjects s on s.id = c.subject_id and s.generation = c.generation;

grant insert, delete, maintain on correction_contents to memory_center_app;
grant select (operation_id, subject_id, generation) on correction_contents to memory_center_app;
grant select on visible_corrections to memory_center_app;
