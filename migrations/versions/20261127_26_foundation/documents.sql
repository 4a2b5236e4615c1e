-- What somebody uploaded. Its text is in its parts, which are memories.
create table documents (
  id         uuid primary key,
  subject_id uuid not null,
  generation integer not null,
  media_type text not null check (media_type in ('text/plain', 'text/markdown', 'application/pdf')),
  size       bigint not null,       -- bytes of the file
  pages      integer,               -- of a PDF
  created_at timestamptz not null
);
create index documents_by_subject on documents (subject_id, generation, id desc);

create table document_contents (
  document_id uuid primary key references documents(id),
  title       text not null
);
alter table document_contents alter column title set statistics 0, alter column title set storage external;

-- Where in its document a memory stands.
create table document_parts (
  memory_id   uuid primary key,
  document_id uuid not null,
  position    integer not null,     -- from 1
  page        integer,              -- from 1
  unique (document_id, position)
);

create view visible_documents as
  select d.id, d.subject_id, d.generation, d.media_type, d.size, d.pages, d.created_at, c.title
  from documents d
  join subjects s on s.id = d.subject_id and s.generation = d.generation
  join document_contents c on c.document_id = d.id
  where not exists (select from hides h where h.kind = 'document' and h.item_id = d.id);

create view visible_document_parts as
  select p.memory_id, p.document_id, p.position, p.page, d.title
  from document_parts p join visible_documents d on d.id = p.document_id;

grant select, insert, update, delete on documents, document_parts to memory_center_app;
grant insert, delete on document_contents to memory_center_app;
grant select (document_id) on document_contents to memory_center_app;
grant maintain on document_contents, document_parts to memory_center_app;
grant select on visible_documents, visible_document_parts to memory_center_app, memory_center_recall;
