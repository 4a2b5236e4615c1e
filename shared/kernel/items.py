"""The registry: one entry for each kind of thing a person has, read by all that erases, counts, moves or records it.

`shared.items.register_kinds` tells it of all; a process calls that where it starts. Nothing else lists kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Row, Transaction
from shared.kernel.records import Record
from shared.kernel.subjects import COLUMNS, Subject, as_subject

Fate: TypeAlias = Literal["goes", "goes with the person", "goes when revoked"]
"""`goes`: with whatever a forget takes it by. `goes with the person`: only with everything of a person. `goes when
revoked`: by its `on_forget`."""

OnForget: TypeAlias = Callable[[Transaction, Subject, str, UUID | None, str], Sequence[UUID]]
"""Called under the closed fence with the forget's scope, its conversation if it has one, and who asks; returns the
operations of what it revoked and the forget must erase by name."""

OnRestore: TypeAlias = Callable[[Transaction], int]
"""Called when a restored backup lacks a forget; returns how many things it revoked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InPackages:
    """How a kind travels in packages (MC-12, X-09). Its SQL reads the staged records: `i.record` of `incoming i`.

    Args:
        form: its pydantic model.
        read: yields its visible rows of a person, sorted by `id`, as members of the form.
        refers_to: member of the record → kind of record it must find in the package.
        write: statements that insert those that come (`i.fate is null`), by what they write.
    """

    form: type[Record]
    read: Callable[[Transaction, UUID], Iterator[Row]]
    write: Mapping[str, str]
    refers_to: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemKind:
    """One kind of thing.

    Args:
        name: what hides, lineage and the ledger call it.
        record: what packages call it; None if it does not travel.
        table: its rows: `id`, `subject_id`, `generation`.
        visible: the view of those that are neither forgotten nor another generation's.
        contents: what hangs on a row, tables with the column that names it.
        fate: what a forget does to its rows.
        in_conversation: the column that places a row in its conversation; None where a kind goes by name alone.
        tombstone: a statement that keeps what is left of erased rows (`doomed_<table>`) while their conversation lives.
        holds_words: tables to be rewritten on disk after a forget, beside `contents`.
        in_lineage: whether it is made of other things, or others of it.
        selectable: whether a person may forget one by name.
        recorded: whether the ledger names each when its person forgets everything; what lies inside a conversation
            went with that.
        summary: `select id, label, content, made_at` of it, for "what was made of this message".
        on_forget, on_restore: what else a forget, or a restored backup, does because of it.
        in_packages: how it travels; None if it does not, or if `shared.portability` knows it by name.
    """

    name: str
    table: str
    record: str | None = None
    visible: str | None = None
    contents: tuple[tuple[str, str], ...] = ()
    fate: Fate = "goes"
    in_conversation: str | None = None
    tombstone: str | None = None
    holds_words: tuple[str, ...] = ()
    in_lineage: bool = False
    selectable: bool = False
    recorded: bool = False
    summary: str | None = None
    on_forget: OnForget | None = None
    on_restore: OnRestore | None = None
    in_packages: InPackages | None = None


_KINDS: Final[dict[str, ItemKind]] = {}


def register(*kinds: ItemKind) -> None:
    """Add kinds, in the order in which their rows are erased; one that is there already is replaced."""
    for kind in kinds:
        _KINDS[kind.name] = kind


def unregister(name: str) -> None:
    """Take a kind out again; only tests do."""
    del _KINDS[name]


def kinds() -> tuple[ItemKind, ...]:
    """Return every kind, in the order in which their rows are erased.

    Raises:
        RuntimeError: the process never called `shared.items.register_kinds`.
    """
    if not _KINDS:
        raise RuntimeError(
            "no kinds of items are registered: call shared.items.register_kinds where the process starts"
        )
    return tuple(_KINDS.values())


def erased_kinds() -> tuple[ItemKind, ...]:
    """Return those whose rows go one by one."""
    return tuple(kind for kind in kinds() if kind.fate == "goes")


def kind_of(name: str) -> ItemKind:
    """Return a kind by its name.

    Raises:
        KeyError: there is none.
    """
    kinds()
    return _KINDS[name]


def packed_kinds() -> dict[str, ItemKind]:
    """Return the kinds that say themselves how they travel, by the name of their record."""
    return {kind.record: kind for kind in kinds() if kind.record and kind.in_packages is not None}


def recorded_as() -> dict[str, ItemKind]:
    """Return every kind that travels, by the name of its record."""
    return {kind.record: kind for kind in kinds() if kind.record is not None}


def ids_of(tx: Transaction, subject_id: UUID, kind: str, *, generation: int | None = None) -> list[UUID]:
    """Return the ids of everything of a kind this person has, hidden or not; of one generation, or of any."""
    rows = tx.rows(
        f"""
        select id from {kind_of(kind).table} where subject_id = :subject
          and (cast(:generation as integer) is null or generation = :generation) order by id
        """,  # noqa: S608 # names of tables
        subject=subject_id,
        generation=generation,
    )
    return [row["id"] for row in rows]


def owner(tx: Transaction, kind: str, item_id: UUID) -> Subject | None:
    """Return whose item, or operation, this is."""
    table = "operations" if kind == "operation" else kind_of(kind).table
    row = tx.row(
        f"select {COLUMNS} from subjects where id = (select subject_id from {table} where id = :id)",  # noqa: S608
        id=item_id,
    )
    return as_subject(row) if row else None
