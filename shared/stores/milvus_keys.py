"""The rows of erasure targets, found and deleted in calls whose size does not grow with what a person has stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

from shared.stores.milvus_client import BATCH, MilvusConnection, Row, any_of, batches
from shared.stores.port import CollectionLock, ErasureTarget

PAGE: Final = 5000  # rows in one answer; Milvus Lite scans everything for each, a server allows 16,384

_SOURCES_IN_ONE_FILTER: Final = 500
_FEW: Final = 100
"""So many keys and sources may share one filter. A read costs a server 200 ms whatever it asks; Milvus Lite looks keys
up in 1 ms when a filter names nothing else, and compares each row with each of them when it does."""

Sources: TypeAlias = Callable[[ErasureTarget], Mapping[str, Sequence[UUID]]]


def _no_sources(_target: ErasureTarget) -> Mapping[str, Sequence[UUID]]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A collection, by the fields that tell whose a row is.

    `sources` returns what a target's rows were made from, by field; `arrays` are those that hold several values.
    """

    collection: str
    key: str
    namespace: str
    sources: Sources = _no_sources
    arrays: frozenset[str] = frozenset()


class _Mark(NamedTuple):
    """A value of a field that makes a row part of a target; a source does so in its own namespace only."""

    field: str
    value: str
    within: str | None = None


def erase_rows(
    milvus: MilvusConnection, layout: Layout, targets: Sequence[ErasureTarget], *, lock: CollectionLock, search: bool
) -> list[set[str]]:
    """Delete the announced keys of all targets, then with `search` whatever else a strong read finds of them.

    Return the keys asked to go, by target. The announced ones go first: a search may fail.
    """
    asked = [{str(key) for key in target.keys} for target in targets]
    announced = set[str]().union(*asked)
    delete_keys(milvus, layout.collection, layout.key, announced, lock=lock)
    if not search:
        return asked
    found = _found(milvus, layout, _places(layout, targets, by_key=False), len(targets))
    delete_keys(milvus, layout.collection, layout.key, set[str]().union(*found) - announced, lock=lock)
    return [keys | more for keys, more in zip(asked, found, strict=True)]


def rows_left(milvus: MilvusConnection, layout: Layout, targets: Sequence[ErasureTarget]) -> list[set[str]]:
    """Return, by target, the keys of the rows a strong read finds: by key, and by namespace or source."""
    return _found(milvus, layout, _places(layout, targets, by_key=True), len(targets))


def matching_keys(milvus: MilvusConnection, collection: str, field: str, where: str) -> set[str]:
    """Return the keys of every matching row a strong read finds; `field` is the primary key, a uuid."""
    return {str(row[field]) for row in _matching_rows(milvus, collection, field, where, [field])}


def delete_keys(milvus: MilvusConnection, collection: str, field: str, keys: set[str], *, lock: CollectionLock) -> None:
    """Delete rows by key, in batches, each under its own lock so that writers get their turn."""
    for batch in batches(sorted(keys)):
        with lock(collection):
            milvus.delete(collection, field, batch)


def _found(milvus: MilvusConnection, layout: Layout, places: Mapping[_Mark, set[int]], targets: int) -> list[set[str]]:
    """Return by target the keys of its rows. One filter asks for several targets; the fields tell whose a row is."""
    found = [set[str]() for _ in range(targets)]
    for marks in _together(layout, places):
        fields = sorted({layout.key, layout.namespace, *(mark.field for mark in marks)})
        for row in _matching_rows(milvus, layout.collection, layout.key, _where(layout, marks), fields):
            for mark in _marks(layout, row):
                for place in places.get(mark, ()):
                    found[place].add(str(row[layout.key]))
    return found


def _places(layout: Layout, targets: Sequence[ErasureTarget], *, by_key: bool) -> Mapping[_Mark, set[int]]:
    """Return what makes a row part of which targets, by their places."""
    places: defaultdict[_Mark, set[int]] = defaultdict(set)
    for place, target in enumerate(targets):
        namespace = str(target.namespace)
        for key in target.keys if by_key else ():
            places[_Mark(layout.key, str(key))].add(place)
        if target.whole_namespace:
            places[_Mark(layout.namespace, namespace)].add(place)
            continue
        for field, values in layout.sources(target).items():
            for value in values:
                places[_Mark(field, str(value), namespace)].add(place)
    return places


def _marks(layout: Layout, row: Row) -> Iterator[_Mark]:
    for field, held in row.items():
        for value in held if field in layout.arrays else (held,):
            yield _Mark(field, value)
            yield _Mark(field, value, row[layout.namespace])


def _together(layout: Layout, places: Mapping[_Mark, set[int]]) -> Iterator[Sequence[_Mark]]:
    """Yield what shares a filter: keys and sources when they are few, else values of one field.

    Namespaces stand alone: of "this key or that namespace" Milvus 2.3 searches the namespace's partition only.
    """
    namespaces = [mark for mark in places if mark.field == layout.namespace]
    others = sorted((mark for mark in places if mark.field != layout.namespace), key=lambda mark: mark.field)
    yield from batches(namespaces)
    if len(others) <= _FEW:
        yield from batches(others)
        return
    for field, marks in groupby(others, key=lambda mark: mark.field):
        yield from batches(list(marks), BATCH if field == layout.key else _SOURCES_IN_ONE_FILTER)


def _where(layout: Layout, marks: Sequence[_Mark]) -> str:
    """Return a filter for every row of these marks; a source is asked for in all namespaces, see `_together`."""
    fields = groupby(marks, key=lambda mark: mark.field)
    return " or ".join(_holds(layout, field, [mark.value for mark in held]) for field, held in fields)


def _holds(layout: Layout, field: str, values: Sequence[str]) -> str:
    if field not in layout.arrays:
        return any_of(field, values)
    quoted = ",".join(f'"{value}"' for value in values)
    return f"array_contains_any({field}, [{quoted}])"


def _matching_rows(
    milvus: MilvusConnection, collection: str, key: str, where: str, fields: Sequence[str]
) -> Iterator[Row]:
    """Yield every matching row a strong read finds, in answers of at most `PAGE`.

    A limited answer holds any of the rows, in no order. So a full one is asked for again in two halves, cut at
    the middle of the keys it named.
    """
    pending = [(f"({where})", "")]
    while pending:
        within, low = pending.pop()
        page = milvus.query(collection, within, fields, consistency="Strong", limit=PAGE)
        middle = sorted(str(row[key]) for row in page)[len(page) // 2] if page else low
        if len(page) < PAGE or middle == low:
            yield from page
        else:
            pending += [(f'{within} and {key} < "{middle}"', low), (f'{within} and {key} >= "{middle}"', middle)]
