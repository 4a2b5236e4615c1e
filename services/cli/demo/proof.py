"""What counts as forgotten and as kept, computed on plain lists of rows; no store is read here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Place: TypeAlias = Literal["PostgreSQL", "Milvus", "mem0", "logs and files"]
PLACES: Final[tuple[Place, ...]] = ("PostgreSQL", "Milvus", "mem0", "logs and files")
MUST_HAVE_HELD: Final[tuple[Place, ...]] = ("PostgreSQL", "Milvus", "mem0")

KEEPS_IDS: Final = frozenset(
    {
        "conversations",  # a forgotten conversation leaves its id: messages to it are refused
        "debug_records",  # the effects of a request, in ids and numbers, for a day
        "erased_messages",  # so that a client that resends a message does not restore it
        "events",  # events without content
        "operations",
        "pg_stats",  # the planner's sample of a column, until refreshed; columns with content have none
    }
)
"""Tables that may contain the id of a forgotten item; none may contain its words."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table or collection, or a line of a file, with all its values as text."""

    place: Place
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What must not be found: words unique to the item, ids of its parts, and keys of their vectors."""

    canaries: frozenset[str]
    ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Expected:
    """A row that must exist: one row of this table or collection contains all `needles`."""

    place: Place
    part: str
    needles: tuple[str, ...]


def copies(rows: Iterable[Row], thing: Forgotten) -> list[Row]:
    """Return the rows that contain one of the words, or one of the ids where none may remain."""
    return [
        row for row in rows if _mentions(row, thing.canaries) or (_may_keep_no_id(row) and _mentions(row, thing.ids))
    ]


def count_copies(rows: Iterable[Row], things: Iterable[Forgotten]) -> int:
    """Return how many rows contain any of the things."""
    return len(copies(rows, _together(things)))


def by_place(rows: Iterable[Row]) -> Counter[Place]:
    """Count rows by the store they are in."""
    return Counter(row.place for row in rows)


def by_part(rows: Iterable[Row]) -> Counter[tuple[Place, str]]:
    """Count rows by table, collection or file."""
    return Counter((row.place, row.part) for row in rows)


def missing(rows: Sequence[Row], expected: Iterable[Expected]) -> list[Expected]:
    """Return the expected rows that are missing."""
    parts: dict[tuple[Place, str], list[str]] = {}
    for row in rows:
        parts.setdefault((row.place, row.part), []).append(row.text)
    return [
        one for one in expected if not any(_all_in(one.needles, text) for text in parts.get((one.place, one.part), ()))
    ]


@dataclass(slots=True)
class Outcome:
    """The result of the whole run, as far as it got."""

    turns: int = 0
    memories: int = 0
    operations: int = 0
    unfinished: int = 0
    residue: int = 0
    lost: int = 0
    proven: bool = False

    @property
    def ok(self) -> bool:
        """Whether everything forgotten is gone, everything else is there, and there was enough data to prove it."""
        return (
            self.proven
            and self.turns >= LEAST_TURNS
            and self.memories > 0
            and self.operations > 0
            and not (self.unfinished or self.residue or self.lost)
        )

    def summary(self, *, seconds: float) -> dict[str, bool | int | float]:
        """Return the result for scripts."""
        return {
            "ok": self.ok,
            "turns": self.turns,
            "memories": self.memories,
            "operations": self.operations,
            "residue": self.residue,
            "lost": self.lost,
            "seconds": round(seconds, 1),
        }


LEAST_TURNS: Final = 12


def _together(things: Iterable[Forgotten]) -> Forgotten:
    every = list(things)
    return Forgotten(
        canaries=frozenset().union(*(thing.canaries for thing in every)),
        ids=frozenset().union(*(thing.ids for thing in every)),
    )


def _may_keep_no_id(row: Row) -> bool:
    return row.place != "logs and files" and row.part not in KEEPS_IDS


def _mentions(row: Row, words: Iterable[str]) -> bool:
    return any(word in row.text for word in words)


def _all_in(needles: Iterable[str], text: str) -> bool:
    return all(needle in text for needle in needles)
