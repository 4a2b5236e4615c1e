"""The ids of imported records here, and those under which they may have been known before (X-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy import ColumnElement, Table, Text, Uuid, bindparam, cast, column, exists, func, literal, or_, update
from sqlalchemy.dialects.postgresql import JSONB

from shared.conversations.sql.tables import erased_messages, messages
from shared.kernel import items
from shared.kernel.database import Transaction
from shared.kernel.items import ItemKind
from shared.kernel.subjects import Subject
from shared.kernel.tables import events
from shared.portability.sql.import_staging import INCOMING

_ALSO_NAMED: Final = {
    "erased_conversation": "conversation",
    "erased_message": "message",
    "named_message": "message",
}
"""Kinds of record that refer to an item outside the package → the kind of that item."""

_BATCH: Final = 5_000
"""Ids per batch."""


def kinds() -> dict[str, ItemKind]:
    """Return the item kind whose ids each kind of record uses."""
    also = {record: items.kind_of(name) for record, name in _ALSO_NAMED.items()}
    return {**items.recorded_as(), **also}


def other(subject: Subject, kind: str, id_: UUID) -> str:
    """Return the id that a person's record of a kind gets if its own belongs to somebody else."""
    return str(uuid5(subject.id, f"{kinds()[kind].table.name}:{id_}"))


def batches(tx: Transaction, kind: str) -> Iterator[dict[UUID, UUID]]:
    """Yield all ids of a kind in the package, with their local ids, some at a time."""
    after: UUID | None = None
    while rows := tx.rows(
        """
        select id, here from incoming where kind = :kind and (cast(:after as uuid) is null or id > :after)
        order by id limit :limit
        """,
        kind=kind,
        after=after,
        limit=_BATCH,
    ):
        yield {row["id"]: row["here"] for row in rows}
        after = rows[-1]["id"]


def rename_taken(tx: Transaction, subject: Subject) -> int:
    """Give records whose ids belong to somebody else other ids, which are always the same; return how many.

    An id that was replaced in an earlier import is replaced again, even if its first owner no longer exists. Otherwise
    the record could be imported twice, or return after it was forgotten.
    """
    if tx.run(_NAMED):
        tx.run("analyze incoming")  # without statistics, PostgreSQL would assume one row of the new kind and rescan it
    return sum(_rename(tx, subject, kind) for kind in kinds())


_NAMED: Final = """
  insert into incoming (kind, id, record, here, withheld)
  select 'named_message', n.id, '{"named_only": true}', n.id, false
  from (
    select p.message_id as id from incoming i
    cross join lateral jsonb_to_recordset(i.record -> 'provenance') as p(message_id uuid) where i.kind = 'memory'
    union
    select (i.record ->> 'message_id')::uuid from incoming i where i.kind = 'feedback'
  ) as n
  where n.id is not null and not exists (select from incoming m where m.kind = 'message' and m.id = n.id)
"""
"""Messages outside the package that its records were derived from; they may have been forgotten here."""


def _rename(tx: Transaction, subject: Subject, kind: str) -> int:
    given = func.jsonb_to_recordset(bindparam("others", type_=JSONB))
    others = given.table_valued(column("id", Uuid), column("here", Uuid)).render_derived(with_types=True)
    taken = or_(*_found(kind, INCOMING.c.id, theirs=False), *_found(kind, others.c.here, theirs=True))
    renamed = (
        update(INCOMING)
        .where(INCOMING.c.kind == bindparam("of"), INCOMING.c.id == others.c.id, taken)
        .values(here=others.c.here)
    )
    return sum(
        tx.run(
            renamed,
            of=kind,
            subject=subject.id,
            others=[{"id": str(id_), "here": other(subject, kind, id_)} for id_ in ids],
        )
        for ids in batches(tx, kind)
    )


def _found(kind: str, id_: ColumnElement[UUID], *, theirs: bool) -> Iterator[ColumnElement[bool]]:
    """Yield where an item with this id may be found, or its tombstone or history: of the person, or of others."""

    def of_whom(table: Table) -> ColumnElement[bool]:
        subject = bindparam("subject", type_=Uuid)
        return table.c.subject_id == subject if theirs else table.c.subject_id != subject

    table = kinds()[kind].table
    yield exists().where(table.c.id == id_, of_whom(table))
    if table is messages:
        yield exists().where(erased_messages.c.id == id_, of_whom(erased_messages))
    if kind in ("conversation", "memory"):
        yield exists().where(events.c.stream == literal(f"{kind}:").concat(cast(id_, Text)), of_whom(events))
