"""Delete a target's rows from every table, and prove that none are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Delete,
    Integer,
    Label,
    Select,
    Table,
    Update,
    Uuid,
    bindparam,
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
from shared.traits.sql.tables import trait_questions, unlearnable_traits

BATCH: Final = 5_000
"""Rows deleted per statement, so that no transaction exceeds its time limit."""


OTHER_TABLES: Final = (
    erased_messages,
    debug_records,
    idempotency_keys,
    imported_receipts,
    unlearnable_traits,
    trait_questions,
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
    for deletion in _statements(target).deletions:
        row = tx.row(deletion, limit=BATCH, **_values(target))
        assert row is not None  # noqa: S101 # a select without a table has one row
        gone.update(row)
        full = full or max(row.values()) >= BATCH
    for trail in _TRAILS if target.scope == "user" else ():
        full = tx.run(trail, limit=BATCH, **_values(target)) >= BATCH or full
    return Batch(rows=gone, full=full)


def finish(tx: Transaction, target: Target) -> None:
    """Delete what is not an item: titles, traces, tombstones, event streams of a forgotten generation."""
    tx.run(_statements(target).finish, **_values(target))


def residue(tx: Transaction, target: Target) -> dict[str, int]:
    """Count the rows left in PostgreSQL, by table; an empty dict proves that none are left.

    Content cannot outlive its item because of foreign keys.
    """
    rows = tx.rows(_statements(target).residue, **_values(target))
    return {row["name"]: int(row["rows"]) for row in rows}


_TRAILS: Final = (
    """
    delete from events where ctid = any(array(
      select ctid from events where subject_id = :of_subject and generation <= :of_generation
        and stream not like 'operation:%' and stream not like 'settings:%' limit :limit))
    """,
    """
    delete from lineage where ctid = any(array(
      select ctid from lineage where subject_id = :of_subject and generation <= :of_generation limit :limit))
    """,
    """
    delete from erased_messages where ctid = any(array(
      select ctid from erased_messages where subject_id = :of_subject and generation <= :of_generation limit :limit))
    """,
)
"""What a person's items leave behind, which may be more than there are items; `finish` deletes the rest."""

_SUBJECT: Final = bindparam("of_subject", type_=Uuid)
_GENERATION: Final = bindparam("of_generation", type_=Integer)
_OPERATION: Final = bindparam("of_operation", type_=Uuid)
_CONVERSATION: Final = bindparam("of_conversation", type_=Uuid)
_THROUGH: Final = bindparam("up_to", type_=BigInteger)


def _values(target: Target) -> dict[str, Any]:
    """Return the parameters of all statements; none is named like a column, which an update would set."""
    return {
        "of_subject": target.subject_id,
        "of_generation": target.generation,
        "of_operation": target.operation_id,
        "of_conversation": target.conversation_id,
        "up_to": target.through,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """The statements that erase one sort of target: in batches, at the end, and to prove it."""

    deletions: tuple[Select[Any], ...]
    finish: Select[Any]
    residue: Select[Any]


def _statements(target: Target) -> Statements:
    return _built(target.scope, tuple(map(id, kinds())), closes=target.close_account)


@lru_cache
def _built(scope: str, _registered: tuple[int, ...], *, closes: bool) -> Statements:
    """Build the statements once for each sort of target, because that takes longer than running small ones."""
    keep_tombstones = scope not in ("conversation", "user")
    return Statements(
        deletions=tuple(_deletion(which, keep_tombstones=keep_tombstones) for which in _which(scope)),
        finish=_finish(scope, closes=closes),
        residue=_residue(scope, closes=closes),
    )


def _of_person(table: Table) -> ColumnElement[bool]:
    return (table.c.subject_id == _SUBJECT) & (table.c.generation <= _GENERATION)


def _hidden(kind: ItemKind) -> ColumnElement[bool]:
    named = select(hides.c.item_id).where(hides.c.op_id == _OPERATION, hides.c.kind == kind.name)
    return (kind.table.c.subject_id == _SUBJECT) & kind.table.c.id.in_(named)


def _titles() -> ColumnElement[bool]:
    titles = conversation_contents.c
    return (titles.conversation_id == _CONVERSATION) & (titles.at_seq <= _THROUGH)


def _which(scope: str) -> Iterator[list[tuple[ItemKind, ColumnElement[bool]]]]:
    """Yield groups of item kinds to erase, each with the condition for its rows."""
    if scope == "user":
        yield [(kind, _of_person(kind.table)) for kind in erased_kinds()]
        return
    yield [(kind, _hidden(kind)) for kind in erased_kinds()]
    if scope in ("conversation", "clear"):
        yield [
            (kind, (kind.table.c.conversation_id == _CONVERSATION) & (kind.in_conversation <= _THROUGH))
            for kind in erased_kinds()
            if kind.in_conversation is not None
        ]


def _personal(*, closes: bool) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Yield the tables erased only with a generation of a person, with the condition for their rows."""
    for table in dict.fromkeys([*(kind.table for kind in kinds() if kind.fate != "goes"), *OTHER_TABLES]):
        condition = _of_person(table)
        if table is events:
            condition &= events.c.stream.not_like("operation:%")
            if not closes:  # settings stay with the account
                condition &= events.c.stream.not_like("settings:%")
        yield table, condition


def _deletion(which: Sequence[tuple[ItemKind, ColumnElement[bool]]], *, keep_tombstones: bool) -> Select[Any]:
    """Build what deletes up to `limit` rows of each table and their dependent rows, and counts them by table."""
    parts: list[CTE] = []
    counts: list[Label[int]] = []
    for kind, condition in which:
        table, name = kind.table, kind.table.name
        stays = kind.tombstone if keep_tombstones else None
        common = [] if stays is None else [column.name for column in stays.c if column.name in table.c]
        kept = [table.c[one] for one in common if one != "id"]
        found = select(table.c.id, *kept).where(condition).limit(bindparam("limit", type_=Integer))
        doomed = found.cte(f"doomed_{name}")
        if stays is not None:
            stubs = insert(stays).from_select(common, select(*(doomed.c[one] for one in common)))
            parts.append(stubs.on_conflict_do_nothing().cte(f"kept_{name}"))
        if kind.in_conversation is not None:
            made = (lineage.c.derived_kind == kind.name) & (lineage.c.derived_id == doomed.c.id)
            parts.append(delete(lineage).where(made).cte(f"unlinked_{name}"))
        if kind.name == "message":  # edges as evidence of items that stay
            shown = (lineage.c.source_kind == "message") & (lineage.c.source_id == doomed.c.id)
            parts.append(delete(lineage).where(shown, lineage.c.edge == "supported_by").cte(f"unsupported_{name}"))
        for key in kind.contents:
            emptied = delete(key.table).where(key == doomed.c.id)
            if "subject_id" in key.table.c:  # of a partitioned table only the person's part is read
                emptied = emptied.where(key.table.c.subject_id == _SUBJECT)
            parts.append(emptied.cte(f"emptied_{key.table.name}_of_{name}"))
        gone = delete(table).where(table.c.id == doomed.c.id).returning(table.c.id).cte(f"gone_{name}")
        parts.append(gone)
        counts.append(select(func.count()).select_from(gone).scalar_subquery().label(name))
    return cast("Select[Any]", select(*counts).add_cte(*parts))


def _finish(scope: str, *, closes: bool) -> Select[Any]:
    spoken = exists().where(messages.c.id == unlearnable_spans.c.message_id)
    together: list[Delete | Update] = [
        delete(unlearnable_spans).where(unlearnable_spans.c.subject_id == _SUBJECT, ~spoken)
    ]
    titles = delete(conversation_contents)
    if scope == "user":
        theirs = select(conversations.c.id).where(_of_person(conversations))
        together.append(titles.where(conversation_contents.c.conversation_id.in_(theirs)))
        together += [delete(table).where(condition) for table, condition in _personal(closes=closes)]
    if scope == "clear":
        together.append(titles.where(_titles()))
    if scope == "conversation":
        emptied = update(conversations).where(conversations.c.id == _CONVERSATION)
        together += [
            titles.where(conversation_contents.c.conversation_id == _CONVERSATION),
            delete(erased_messages).where(erased_messages.c.conversation_id == _CONVERSATION),
            emptied.values(
                erased_at=func.coalesce(conversations.c.erased_at, func.now()), project_id=None, external_id=None
            ),
        ]
    if scope in ("conversation", "clear"):
        together.append(delete(debug_records).where(debug_records.c.conversation_id == _CONVERSATION))
    return select(literal(1)).add_cte(*(one.cte(f"deletion_{place}") for place, one in enumerate(together)))


def _residue(scope: str, *, closes: bool) -> Select[Any]:
    everything = [(kind.table, condition) for which in _which(scope) for kind, condition in which]
    if scope == "user":
        everything += _personal(closes=closes)
    if closes:
        everything.append((user_settings, user_settings.c.subject_id == _SUBJECT))
    if scope in ("conversation", "clear"):
        everything.append((conversation_contents, _titles()))
    each = union_all(
        *(
            select(literal(table.name).label("name"), func.count().label("rows")).select_from(table).where(condition)
            for table, condition in everything
        )
    ).subquery()
    total = func.sum(each.c.rows)
    return select(each.c.name, total.label("rows")).group_by(each.c.name).having(total > 0)
