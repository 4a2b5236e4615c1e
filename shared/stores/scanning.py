"""Reads whole collections page by page, to find which keys a store has and which it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias
from uuid import UUID

from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.mem0_entities import _links as links_of_entity
from shared.stores.milvus import COLLECTION as EPISODES
from shared.stores.milvus_client import MilvusConnection, Row, any_of, batches

PAGE: Final = 16_000
"""Rows per response. Milvus Lite scans the whole collection for each, so few are best; a server allows 16,384."""

Range: TypeAlias = tuple[UUID, UUID]
"""Namespaces, the first and the last."""
EVERY: Final[Range] = (UUID(int=0), UUID(int=2**128 - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scanned:
    """A collection and the fields a scan reads; `linking` contains links to other keys."""

    alias: str
    key: str
    namespace: str
    linking: str | None = None

    @property
    def fields(self) -> list[str]:
        return [self.key, self.namespace, *([self.linking] if self.linking else [])]

    def of(self, within: Sequence[Range] | None) -> str:
        """Return the end of a filter for rows of some namespaces; empty for all."""
        if within is None or EVERY in within:
            return ""
        parts = [
            f'({self.namespace} >= "{low}" and {self.namespace} <= "{high}")' for low, high in within if low != high
        ]
        if single := [str(low) for low, high in within if low == high]:
            parts.append(any_of(self.namespace, single))
        return f" and ({' or '.join(parts)})"


_COLLECTIONS: Final[dict[str, tuple[_Scanned, ...]]] = {
    "milvus": (_Scanned(alias=EPISODES, key="pk", namespace="namespace"),),
    "mem0": (
        _Scanned(alias=MEMORIES.alias, key="id", namespace="user_id"),
        _Scanned(alias=ENTITIES.alias, key="id", namespace="user_id", linking="metadata"),
    ),
}
"""By store; the first collection has the vectors of items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Rows of a store: their number, and every key they have or link to, with its namespace."""

    rows: int
    namespaces: Mapping[UUID, UUID]


class Scanner:
    """Reads all of `milvus` or `mem0`, of all people, by strong reads; read-only.

    Holds one response in memory at a time. Raises `StoreUnavailable` and `StoreMisconfigured`.
    """

    def __init__(self, milvus: MilvusConnection) -> None:
        self._milvus = milvus

    def pages(self, store: str, *, within: Sequence[Range] | None = None) -> Iterator[Page]:
        """Yield every row that exists during the whole scan, and perhaps some that are added or deleted meanwhile.

        Args:
            within: only of these namespaces.
        """
        for collection in _COLLECTIONS[store]:
            for rows in self._answers(collection, within):
                yield _page(collection, rows)

    def missing(self, store: str, keys: Sequence[UUID]) -> set[UUID]:
        """Return the item keys that a strong read does not find."""
        collection = _COLLECTIONS[store][0]
        found: set[UUID] = set()
        for batch in batches([str(key) for key in keys]):
            rows = self._milvus.query(collection.alias, any_of(collection.key, batch), [collection.key])
            found.update(UUID(row[collection.key]) for row in rows)
        return set(keys) - found

    def _answers(self, collection: _Scanned, within: Sequence[Range] | None) -> Iterator[Sequence[Row]]:
        """Yield all rows in responses of less than `PAGE`.

        A limited response contains arbitrary rows. A full one is only a sample: its key range is requested again in
        parts with about the same number of rows each.
        """
        pending = [_Keys()]
        owned = collection.of(within)
        while pending:
            keys = pending.pop()
            where = keys.where(collection.key) + owned
            rows = self._milvus.query(collection.alias, where, collection.fields, limit=PAGE)
            parts = self._parts(collection, keys, rows, _share(within)) if len(rows) == PAGE else [keys]
            if parts == [keys]:
                yield rows
            else:
                pending += parts

    def _parts(self, collection: _Scanned, keys: _Keys, sample: Sequence[Row], share: float) -> list[_Keys]:
        number = 2 if keys.is_part else 2 + int(2 * share * self._milvus.count(collection.alias)) // PAGE
        return keys.cut(sorted(str(row[collection.key]) for row in sample), number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keys:
    """Keys from `low` (inclusive) to `high` (exclusive); an empty bound is open."""

    low: str = ""
    high: str = ""

    @property
    def is_part(self) -> bool:
        return bool(self.low or self.high)

    def where(self, key: str) -> str:
        """Return a filter for these keys."""
        below = f' and {key} < "{self.high}"' if self.high else ""
        above = f'{key} >= "{self.low}"' if self.low else f'{key} != ""'
        return above + below

    def cut(self, sample: Sequence[str], parts: int) -> list[_Keys]:
        """Split this range into parts with about the same number of keys each, judging by a sorted sample."""
        cuts = [self.low, *(sample[len(sample) * part // parts] for part in range(1, parts)), self.high]
        return [_Keys(low=low, high=high) for low, high in pairwise(cuts) if low != high]


def _share(within: Sequence[Range] | None) -> float:
    """Return about which share of all rows belongs to these namespaces, which are random."""
    return 1.0 if within is None else sum(high.int - low.int + 1 for low, high in within) / 2**128


def _page(collection: _Scanned, rows: Sequence[Row]) -> Page:
    namespaces: dict[UUID, UUID] = {}
    for row in rows:
        linked = links_of_entity(row[collection.linking]) if collection.linking else set()
        for key in {str(row[collection.key]), *linked}:
            namespaces[UUID(key)] = UUID(row[collection.namespace])
    return Page(rows=len(rows), namespaces=namespaces)
