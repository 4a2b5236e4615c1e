"""Delete a target's rows from every table, and prove that none are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    CTE,
    ColumnElement,
    Delete,
    Label,
    Table,
    Update,
    delete,
    exists,
    func,
    literal,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from shared.consent.sql.tables import user_settings
from shared.conversations.sql.tables import conversation_contents, conversations, erased_messages, messages
from shared.kernel.database import Transaction
from shared.kernel.items import ItemKind, erased_kinds, kinds
from shared.kernel.tables import debug_records, events, idempotency_keys
from shared.ledger.sql.tables import imported_receipts
from shared.lineage.sql.tables import lineage, unlearnable_spans
from shared.outbox.sql.tables import hides
from shared.outbox.sql.targets import Target
from shared.preferences.sql.tables import preference_hints
from shared.traits.sql.tables import unlearnable_traits

BATCH: Final = 5_000
"""Rows deleted per statement, so that no transaction exceeds its time limit."""


OTHER_TABLES: Final = (
    erased_messages,
    debug_records,
    idempotency_keys,
    imported_receipts,
    unlearnable_traits,
    preference_hints,
    events,
)
"""Tables erased with a generation of a person that hold no kind of item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Rows deleted by one call, by table, and whether there may be more."""

    rows: Mapping[str, int]
    full: bool


def erase_batch(tx: Transaction, target: Target) -> Batch:
    """Delete up to `BATCH` rows per table and reason; repeat while `full` is returned."""
    gone: Counter[str] = Counter()
    full = False
    for which in _which(target):
        deleted = _delete(tx, which, keep_tombstones=target.scope not in ("conversation", "user"))
        gone.update(deleted)
        full = full or max(deleted.values()) >= BATCH
    return Batch(rows=gone, full=full)


def finish(tx: Transaction, target: Target) -> None:
    """Delete what is not an item: titles, traces, tombstones, event streams of a forgotten generation."""
    spoken = exists().where(messages.c.id == unlearnable_spans.c.message_id)
    together: list[Delete | Update] = [
        delete(unlearnable_spans).where(unlearnable_spans.c.subject_id == target.subject_id, ~spoken)
    ]
    titles = delete(conversation_contents)
    if target.scope == "user":
        theirs = select(conversations.c.id).where(_of_person(conversations, target))
        together.append(titles.where(conversation_contents.c.conversation_id.in_(theirs)))
        together += [delete(table).where(condition) for table, condition in _personal(target)]
    if target.scope == "clear":
        together.append(titles.where(_titles(target)))
    if target.scope == "conversation":
        emptied = update(conversations).where(conversations.c.id == target.conversation_id)
        together += [
            titles.where(conversation_contents.c.conversation_id == target.conversation_id),
            delete(erased_messages).where(erased_messages.c.conversation_id == target.conversation_id),
            emptied.values(erased_at=func.coalesce(conversations.c.erased_at, func.now()), project_id=None),
        ]
    if target.scope in ("conversation", "clear"):
        together.append(delete(debug_records).where(debug_records.c.conversation_id == target.conversation_id))
    tx.run(select(literal(1)).add_cte(*(one.cte(f"deletion_{place}") for place, one in enumerate(together))))


def residue(tx: Transaction, target: Target) -> dict[str, int]:
    """Count the rows left in PostgreSQL, by table; an empty dict proves that none are left.

    Content cannot outlive its item because of foreign keys.
    """
    each = union_all(
        *(
            select(literal(table.name).label("name"), func.count().label("rows")).select_from(table).where(condition)
            for table, condition in _everything(target)
        )
    ).subquery()
    total = func.sum(each.c.rows)
    rows = tx.rows(select(each.c.name, total.label("rows")).group_by(each.c.name).having(total > 0))
    return {row["name"]: int(row["rows"]) for row in rows}


def _of_person(table: Table, target: Target) -> ColumnElement[bool]:
    return (table.c.subject_id == target.subject_id) & (table.c.generation <= target.generation)


def _hidden(kind: ItemKind, target: Target) -> ColumnElement[bool]:
    named = select(hides.c.item_id).where(hides.c.op_id == target.operation_id, hides.c.kind == kind.name)
    return kind.table.c.id.in_(named)


def _titles(target: Target) -> ColumnElement[bool]:
    titles = conversation_contents.c
    return (titles.conversation_id == target.conversation_id) & (titles.at_seq <= target.through)


def _which(target: Target) -> Iterator[list[tuple[ItemKind, ColumnElement[bool]]]]:
    """Yield groups of item kinds to erase, each with the condition for its rows."""
    if target.scope == "user":
        yield [(kind, _of_person(kind.table, target)) for kind in erased_kinds()]
        return
    yield [(kind, _hidden(kind, target)) for kind in erased_kinds()]
    if target.scope in ("conversation", "clear"):
        yield [
            (kind, (kind.table.c.conversation_id == target.conversation_id) & (kind.in_conversation <= target.through))
            for kind in erased_kinds()
            if kind.in_conversation is not None
        ]


def _everything(target: Target) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Yield every table with the condition for the target's rows."""
    for which in _which(target):
        yield from ((kind.table, condition) for kind, condition in which)
    if target.scope == "user":
        yield from _personal(target)
    if target.close_account:
        yield user_settings, user_settings.c.subject_id == target.subject_id
    if target.scope in ("conversation", "clear"):
        yield conversation_contents, _titles(target)


def _personal(target: Target) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Yield the tables erased only with a generation of a person, with the condition for their rows."""
    for table in dict.fromkeys([*(kind.table for kind in kinds() if kind.fate != "goes"), *OTHER_TABLES]):
        condition = _of_person(table, target)
        if table is events:
            condition &= events.c.stream.not_like("operation:%")
            if not target.close_account:  # settings stay with the account
                condition &= events.c.stream.not_like("settings:%")
        yield table, condition


def _delete(
    tx: Transaction, which: Sequence[tuple[ItemKind, ColumnElement[bool]]], *, keep_tombstones: bool
) -> Mapping[str, int]:
    """Delete up to `BATCH` rows of each table and their dependent rows in one statement; return counts by table."""
    parts: list[CTE] = []
    counts: list[Label[int]] = []
    for kind, condition in which:
        table, name = kind.table, kind.table.name
        doomed = select(table).where(condition).limit(BATCH).cte(f"doomed_{name}")
        if kind.tombstone is not None and keep_tombstones:
            common = [column.name for column in kind.tombstone.c if column.name in doomed.c]
            stubs = insert(kind.tombstone).from_select(common, select(*(doomed.c[one] for one in common)))
            parts.append(stubs.on_conflict_do_nothing().cte(f"kept_{name}"))
        if kind.in_conversation is not None:
            made = (lineage.c.derived_kind == kind.name) & (lineage.c.derived_id == doomed.c.id)
            parts.append(delete(lineage).where(made).cte(f"unlinked_{name}"))
        if kind.name == "message":  # edges as evidence of items that stay
            shown = (lineage.c.source_kind == "message") & (lineage.c.source_id == doomed.c.id)
            parts.append(delete(lineage).where(shown, lineage.c.edge == "supported_by").cte(f"unsupported_{name}"))
        parts += [
            delete(key.table).where(key == doomed.c.id).cte(f"emptied_{key.table.name}_of_{name}")
            for key in kind.contents
        ]
        gone = delete(table).where(table.c.id == doomed.c.id).returning(table.c.id).cte(f"gone_{name}")
        parts.append(gone)
        counts.append(select(func.count()).select_from(gone).scalar_subquery().label(name))
    row = tx.row(select(*counts).add_cte(*parts))
    assert row is not None  # noqa: S101 # a select without a table has one row
    return dict(row)
