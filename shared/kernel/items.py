"""The registry of item kinds: erasing, counting, exporting, importing and the ledger read it.

Each process calls `shared.items.register_kinds` at startup. No other code lists kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import ARRAY, Column, Select, Table, Uuid, any_, bindparam, func, select

from shared.kernel import subjects
from shared.kernel.database import Row, Transaction
from shared.kernel.records import Record
from shared.kernel.subjects import Subject

Fate: TypeAlias = Literal["goes", "goes with the person", "goes when revoked"]
"""When rows are erased. `goes`: with each forget operation that covers them. `goes with the person`: only when a person
forgets everything. `goes when revoked`: when `on_forget` revokes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a forget operation is about to hide.

    Args:
        conversation_id, through: the part of a conversation that goes, by message seq.
        hidden: ids by kind.
        named: the memories among them that the person named; others go because something was made from the same words.
        partly: those of `hidden` whose rest stays.
        actor: who requested it.
    """

    scope: str
    conversation_id: UUID | None
    through: int
    hidden: Mapping[str, Sequence[UUID]]
    named: Sequence[UUID]
    partly: Collection[UUID]
    actor: str


OnForget: TypeAlias = Callable[[Transaction, Subject, Forgotten], Mapping[str, Sequence[UUID]]]
"""Called under the exclusive fence. Returns the ids of further items that the operation must erase, by kind."""

OnUndo: TypeAlias = Callable[[Transaction, Subject, UUID], None]
"""Called under the exclusive fence when an operation was undone and its items are visible again."""

OnRestore: TypeAlias = Callable[[Transaction], int]
"""Called when a restored backup lacks a forget operation; returns how many items it revoked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InPackages:
    """How a kind is exported and imported (MC-12, X-09). Its SQL reads staged records as `i.record` of `incoming i`.

    Args:
        form: the pydantic model of its record.
        read: yields a person's visible rows, sorted by `id`, as fields of the model.
        refers_to: field of the record → kind of record it must reference in the package.
        lists: the same for fields that hold a list of references.
        after: called when all records of an import are written.
        screened: removes from a record what may not be kept here, given a filter for texts; None refuses all of it.
        write: statements that insert the records to be created (`i.fate is null`), keyed by what they write.
    """

    form: type[Record]
    read: Callable[[Transaction, UUID], Iterator[Row]]
    write: Mapping[str, str]
    refers_to: Mapping[str, str]
    lists: Mapping[str, str] = field(default_factory=dict)
    after: Callable[[Transaction, Subject], None] | None = None
    screened: Callable[[Record, Callable[[str], str | None]], Record | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemKind:
    """One kind of item.

    Args:
        name: its name in hides, lineage and the ledger.
        record: its name in packages; None if it is not exported.
        table: its table, with the columns `id`, `subject_id` and `generation`.
        visible: the view of rows that are not forgotten and belong to the current generation.
        contents: the columns by which dependent tables reference the row.
        fate: when its rows are erased.
        in_conversation: the column with a row's position in its conversation; None if the kind is erased by id only.
        tombstone: the table that keeps a stub of erased rows while their conversation exists: the columns both have.
        holds_words: tables besides `contents` that must be rewritten on disk after a forget operation.
        in_lineage: whether it is derived from other items, or others are derived from it.
        selectable: whether a person can forget a single item by id.
        recorded: whether the ledger names each item when the person forgets everything; kinds inside a conversation are
            covered by that conversation.
        summary: selects `id, label, content, made_at` of visible rows, to show what was derived from a message.
        on_forget, on_undo, on_restore: hooks that run when something is forgotten, a forget is undone, or a backup is
            restored.
        in_packages: how it is exported and imported; None if it is not, or if `shared.portability` handles it by name.
    """

    name: str
    table: Table
    record: str | None = None
    visible: Table | None = None
    contents: tuple[Column[UUID], ...] = ()
    fate: Fate = "goes"
    in_conversation: Column[int] | None = None
    tombstone: Table | None = None
    holds_words: tuple[Table, ...] = ()
    in_lineage: bool = False
    selectable: bool = False
    recorded: bool = False
    summary: Select[Any] | None = None
    on_forget: OnForget | None = None
    on_undo: OnUndo | None = None
    on_restore: OnRestore | None = None
    in_packages: InPackages | None = None


_KINDS: Final[dict[str, ItemKind]] = {}


def register(*kinds: ItemKind) -> None:
    """Register kinds in the order in which their rows are erased; a kind with the same name is replaced."""
    for kind in kinds:
        _KINDS[kind.name] = kind


def unregister(name: str) -> None:
    """Remove a kind; for tests only."""
    del _KINDS[name]


def kinds() -> tuple[ItemKind, ...]:
    """Return all kinds in the order in which their rows are erased.

    Raises:
        RuntimeError: the process never called `shared.items.register_kinds`.
    """
    if not _KINDS:
        raise RuntimeError(
            "no kinds of items are registered: call shared.items.register_kinds where the process starts"
        )
    return tuple(_KINDS.values())


def erased_kinds() -> tuple[ItemKind, ...]:
    """Return the kinds whose rows are erased individually."""
    return tuple(kind for kind in kinds() if kind.fate == "goes")


def kind_of(name: str) -> ItemKind:
    """Return a kind by name.

    Raises:
        KeyError: no such kind is registered.
    """
    kinds()
    return _KINDS[name]


def packed_kinds() -> dict[str, ItemKind]:
    """Return the kinds that define how they are exported and imported, by record name."""
    return {kind.record: kind for kind in kinds() if kind.record and kind.in_packages is not None}


def recorded_as() -> dict[str, ItemKind]:
    """Return every exported kind, by record name."""
    return {kind.record: kind for kind in kinds() if kind.record is not None}


def ids_of(tx: Transaction, subject_id: UUID, kind: str, *, generation: int | None = None) -> list[UUID]:
    """Return the ids of all items of a kind that a person has, hidden or not, in one generation or in all."""
    table = kind_of(kind).table
    query = select(table.c.id).where(table.c.subject_id == subject_id).order_by(table.c.id)
    if generation is not None:
        query = query.where(table.c.generation == generation)
    return [row["id"] for row in tx.rows(query)]


def count_visible(tx: Transaction, kind: str, ids: Sequence[UUID]) -> int:
    """Return how many of these items of a kind are not forgotten; of a kind without a view all count."""
    view = kind_of(kind).visible
    if view is None:
        return len(ids)
    query = select(func.count()).select_from(view).where(view.c.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
    found: int = tx.value(query, ids=list(ids))
    return found


def owner(tx: Transaction, kind: str, item_id: UUID) -> Subject | None:
    """Return the person who owns an item or operation; the transaction acts for them from now on."""
    return subjects.owner(tx, "operations" if kind == "operation" else kind_of(kind).table.name, item_id)
