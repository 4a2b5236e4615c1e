"""Finds and deletes the rows of erasure targets in calls of bounded size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from shared.stores.milvus_client import BATCH, MilvusConnection, Row, any_of, batches
from shared.stores.port import CollectionLock, ErasureTarget

PAGE: Final = 5000  # rows per response; Milvus Lite scans everything for each, a server allows 16,384

_CONVERSATIONS_IN_ONE_FILTER: Final = 500
_FEW: Final = 100
"""Maximum number of keys and conversations in one combined filter. A read costs a server 200 ms in any case. Milvus
Lite looks up a key in 1 ms if the filter contains only keys, and scans all rows otherwise.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The fields of a collection that identify a row's owner; the last two are empty if rows have no messages."""

    collection: str
    key: str
    namespace: str
    conversation: str = ""
    messages: str = ""


class _Mark(NamedTuple):
    """A field value that makes a row part of a target; for sources, only within the target's namespace."""

    field: str
    value: str
    within: str | None = None


def erase_rows(
    milvus: MilvusConnection, layout: Layout, targets: Sequence[ErasureTarget], *, lock: CollectionLock, search: bool
) -> list[set[str]]:
    """Delete the announced keys of all targets, then with `search` all other rows a strong read finds.

    Return the keys requested for deletion, by target. Announced keys are deleted first, because a search may fail.
    """
    asked = [{str(key) for key in target.keys} for target in targets]
    announced = set[str]().union(*asked)
    delete_keys(milvus, layout.collection, layout.key, announced, lock=lock)
    if not search:
        return asked
    found = _found(milvus, layout, targets, by_key=False, search=True)
    delete_keys(milvus, layout.collection, layout.key, set[str]().union(*found) - announced, lock=lock)
    return [keys | more for keys, more in zip(asked, found, strict=True)]


def rows_left(
    milvus: MilvusConnection, layout: Layout, targets: Sequence[ErasureTarget], *, search: bool
) -> list[set[str]]:
    """Return, by target, the keys a strong read finds: by key and, with `search`, by namespace or source."""
    return _found(milvus, layout, targets, by_key=True, search=search)


def matching_keys(milvus: MilvusConnection, collection: str, field: str, where: str) -> set[str]:
    """Return the keys of all matching rows by a strong read; `field` is the primary key, a UUID."""
    return {str(row[field]) for row in _matching_rows(milvus, collection, field, where, [field])}


def rows_of(
    milvus: MilvusConnection, layout: Layout, namespaces: Collection[UUID], fields: Sequence[str]
) -> Iterator[Row]:
    """Yield every row of these namespaces, by a strong read."""
    for batch in batches(sorted(map(str, namespaces))):
        yield from _matching_rows(milvus, layout.collection, layout.key, any_of(layout.namespace, batch), fields)


def delete_keys(milvus: MilvusConnection, collection: str, field: str, keys: set[str], *, lock: CollectionLock) -> None:
    """Delete rows by key in batches; each batch takes its own lock, so that other writers can proceed."""
    for batch in batches(sorted(keys)):
        with lock(collection):
            milvus.delete(collection, field, batch)


def _found(
    milvus: MilvusConnection, layout: Layout, targets: Sequence[ErasureTarget], *, by_key: bool, search: bool
) -> list[set[str]]:
    """Return the keys of rows by target. One filter covers several targets; the rows are assigned by their fields."""
    found = [set[str]() for _ in targets]
    places = _places(layout, targets, by_key=by_key, search=search)
    for where, fields in _filters(layout, targets, by_key=by_key, search=search):
        for row in _matching_rows(milvus, layout.collection, layout.key, where, fields):
            for mark in _marks(layout, row):
                for place in places.get(mark, ()):
                    found[place].add(str(row[layout.key]))
    return found


def _places(
    layout: Layout, targets: Sequence[ErasureTarget], *, by_key: bool, search: bool
) -> Mapping[_Mark, set[int]]:
    """Return which marks belong to which targets, by position."""
    places: defaultdict[_Mark, set[int]] = defaultdict(set)
    for place, target in enumerate(targets):
        namespace = str(target.namespace)
        for key in target.keys if by_key else ():
            places[_Mark(layout.key, str(key))].add(place)
        if search and target.whole_namespace:
            places[_Mark(layout.namespace, namespace)].add(place)
        elif search:
            for conversation in target.conversation_ids:
                places[_Mark(layout.conversation, str(conversation), namespace)].add(place)
            for message in target.message_ids:
                places[_Mark(layout.messages, str(message), namespace)].add(place)
    return places


def _marks(layout: Layout, row: Row) -> Iterator[_Mark]:
    """Yield the marks of a row, from the fields that were read."""
    yield _Mark(layout.key, row[layout.key])
    yield _Mark(layout.namespace, row[layout.namespace])
    if layout.conversation in row:
        yield _Mark(layout.conversation, row[layout.conversation], row[layout.namespace])
        for message in row[layout.messages]:
            yield _Mark(layout.messages, message, row[layout.namespace])


def _filters(
    layout: Layout, targets: Sequence[ErasureTarget], *, by_key: bool, search: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield filters that together match every row of the targets, each with the fields that identify a row's owner.

    Rows made from a message are searched by its conversation: Milvus Lite takes 90 µs per row to filter by the message
    array, for all people's rows, but only 200 µs to return a row. Namespaces have their own filter: for "this key or
    that namespace" Milvus 2.3 searches only the namespace's partition. If a whole namespace is searched, its keys need
    no filter, because a key is always written to the namespace it was announced for.
    """
    own = [layout.key, layout.namespace]
    named = [target for target in targets if by_key and not (search and target.whole_namespace)]
    keys = sorted({str(key) for target in named for key in target.keys})
    wholly, partly = (
        [target for target in targets if search and target.whole_namespace is whole] for whole in (True, False)
    )
    for namespaces in batches(sorted({str(target.namespace) for target in wholly})):
        yield any_of(layout.namespace, namespaces), own
    conversations = _conversations(partly) if layout.conversation else []
    sources = [*own, layout.conversation, layout.messages]
    if keys and conversations and len(keys) + len(conversations) <= _FEW:
        yield f"{any_of(layout.key, keys)} or {any_of(layout.conversation, conversations)}", sources
        return
    for batch in batches(keys, BATCH):
        yield any_of(layout.key, batch), own
    for batch in batches(conversations, _CONVERSATIONS_IN_ONE_FILTER):
        yield any_of(layout.conversation, batch), sources


def _conversations(targets: Sequence[ErasureTarget]) -> list[str]:
    return sorted({str(one) for target in targets for one in (*target.conversation_ids, *target.within_conversations)})


def _matching_rows(
    milvus: MilvusConnection, collection: str, key: str, where: str, fields: Sequence[str]
) -> Iterator[Row]:
    """Yield every matching row by a strong read, in responses of at most `PAGE`.

    A limited response contains arbitrary rows. A full one is therefore requested again in two halves, split at the
    median of its keys.
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
