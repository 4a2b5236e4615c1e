"""Reads documents for packages, and writes those of a package. `incoming` holds its records (`shared.portability`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from shared.kernel.database import Row, Transaction


def documents(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible documents, with the memories that are their parts."""
    return tx.stream(
        """
        select d.id, d.title, d.media_type, d.size, d.pages, d.created_at,
               array(select m.id from document_parts p join visible_memories m on m.id = p.memory_id
                     where p.document_id = d.id order by p.position) as parts,
               array(select p.page from document_parts p join visible_memories m on m.id = p.memory_id
                     where p.document_id = d.id order by p.position) as part_pages
        from visible_documents d where d.subject_id = :subject order by d.id
        """,
        subject=subject_id,
    )


WRITE_DOCUMENTS: Final = """
  with kept as (
    insert into documents (id, subject_id, generation, media_type, size, pages, created_at)
    select i.here, :subject, :generation, i.record ->> 'media_type', (i.record ->> 'size')::bigint,
           (i.record ->> 'pages')::integer, (i.record ->> 'created_at')::timestamptz
    from incoming i where i.kind = 'document' and i.fate is null
    returning id
  ), titled as (
    insert into document_contents (document_id, title)
    select k.id, i.record ->> 'title' from kept k join incoming i on i.kind = 'document' and i.here = k.id
  )
  insert into document_parts (memory_id, document_id, position, page)
  select m.here, k.id, p.position, p.page::integer
  from kept k join incoming i on i.kind = 'document' and i.here = k.id
  cross join lateral rows from (
    jsonb_array_elements_text(i.record -> 'parts'), jsonb_array_elements_text(i.record -> 'part_pages')
  ) with ordinality as p(memory_id, page, position)
  join incoming m on m.kind = 'memory' and m.id = p.memory_id::uuid and m.fate is null
  on conflict do nothing"""
