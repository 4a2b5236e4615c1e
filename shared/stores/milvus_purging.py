"""Physical purge of Milvus: afterwards its files contain nothing that was deleted before."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias
from uuid import UUID

from shared.stores import milvus
from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.mem0_vectors import BM25_SINCE
from shared.stores.mem0_vectors import definition as mem0_definition
from shared.stores.milvus_client import (
    Definition,
    Flavour,
    MilvusConnection,
    Row,
    any_of,
    batches,
    connect,
)
from shared.stores.milvus_errors import STORE
from shared.stores.port import CollectionLock, StoreFailed

Keep: TypeAlias = Callable[[Sequence[UUID]], set[UUID]]
"""Returns those of the given store keys whose rows are kept, from PostgreSQL."""

CALL_SECONDS: Final = 30.0  # per call: all keys of a collection come in one response
COMPACTION_SECONDS: Final = 600.0  # 2.3.5 took 75 s for the 16 partitions of 4,000 rows
L0_SINCE: Final = (2, 4)

_ROWS_AT_ONCE: Final = 500
_KEYS_AT_ONCE: Final = 5000
_FEW: Final = 200  # maximum number of rows to copy under the lock
_PASSES: Final = 5
_COLLECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "milvus": (milvus.COLLECTION,),
    "mem0": (MEMORIES.alias, ENTITIES.alias),
}
_DEFINITIONS: Final[dict[str, Callable[[], Definition]]] = {
    milvus.COLLECTION: milvus.definition,
    MEMORIES.alias: partial(mem0_definition, bm25=True),
    ENTITIES.alias: partial(mem0_definition, bm25=True),
}
_REWRITTEN: Final = {ENTITIES.alias: ("metadata",)}
"""Fields that may change under a key; all other rows are immutable until deleted."""


class CopyDiffers(StoreFailed):
    """The copy differs from the collection; nothing was changed, the purge may be repeated."""

    def __init__(self) -> None:
        super().__init__(STORE, type(self).__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """Result of a purge: rows kept, its duration, and how long writes were blocked."""

    rows: int
    seconds: float
    locked_seconds: float = 0.0


class Purger:
    """Purges collections by alias; safe to repeat after being killed at any point.

    Milvus Lite never frees deleted rows, so kept rows are copied to a new collection, which takes over the alias, and
    the old one is dropped. A server flushes and compacts, and removes the old files later by itself.

    Args:
        lock: the exclusive collection lock. It is held while the alias is switched and, under the name `<alias>.purge`,
            during the whole purge, so that two purges never copy at once.
        keep: returns which rows to keep.

    Every method raises `StoreUnavailable`, `StoreMisconfigured`, and the exceptions of `lock` and `keep`.
    """

    def __init__(
        self,
        milvus: MilvusConnection | str,
        *,
        flavour: Flavour,
        lock: CollectionLock,
        keep: Keep,
        token: str = "",
        timeout: float = CALL_SECONDS,
    ) -> None:
        self._milvus = connect(milvus, token=token, timeout=timeout) if isinstance(milvus, str) else milvus
        self._flavour = flavour
        self._lock = lock
        self._keep = keep

    def purge_store(self, store: str) -> dict[str, int]:
        """Purge every collection of `milvus` or `mem0`; return counts to display."""
        purged = [self.purge(alias) for alias in _COLLECTIONS[store]]
        return {"rows": sum(one.rows for one in purged), "seconds": round(sum(one.seconds for one in purged))}

    def purge(self, alias: str, *, deleted: bool = True) -> Purged:
        """Purge one collection; without `deleted` (nothing was deleted), only remove leftovers of an interrupted purge.

        Raises:
            CopyDiffers: the copy was incomplete and was not used.
        """
        began = time.monotonic()
        rows, locked = 0, 0.0
        with self._lock(f"{alias}.purge"):
            if self._milvus.exists(alias):
                if self._flavour == "lite":
                    self._drop_leftovers(alias)
                if deleted:
                    rows, locked = self._replace(alias) if self._flavour == "lite" else self._compact(alias)
        return Purged(rows=rows, seconds=time.monotonic() - began, locked_seconds=locked)

    def replace_misfits(self, store: str) -> int:
        """Replace each collection whose vectors have other dimensions than ours by an empty one; return how many.

        Its old content could not be searched any more. Safe to repeat after being killed.
        """
        return sum(self._replace_misfit(alias) for alias in _COLLECTIONS[store])

    def _replace_misfit(self, alias: str) -> bool:
        if self._fits(alias):
            return False
        with self._lock(f"{alias}.purge"), self._lock(alias):
            if self._fits(alias):  # another process was faster
                return False
            self._drop_leftovers(alias)
            old = self._milvus.behind(alias)
            new = _successor(alias, old)
            bm25 = self._flavour == "lite" or self._milvus.version() >= BM25_SINCE
            definition = milvus.definition() if alias == milvus.COLLECTION else mem0_definition(bm25=bm25)
            self._milvus.create(new, definition.schema, definition.indexes)
            self._milvus.load(new)
            self._milvus.point(alias, new)
            self._milvus.drop(old)
        return True

    def _fits(self, alias: str) -> bool:
        return not self._milvus.exists(alias) or self._milvus.dimensions(alias) == {milvus.DIMENSIONS}

    def close(self) -> None:
        """Release the connection."""
        self._milvus.close()

    def _compact(self, alias: str) -> tuple[int, float]:
        """Flush under the lock, so that all deletions are in the files, then compact while writes continue."""
        with self._lock(alias):
            began = time.monotonic()
            self._milvus.flush(alias)
            locked = time.monotonic() - began
        if self._milvus.version() >= L0_SINCE:
            self._milvus.compact(alias, deletes=True, within=COMPACTION_SECONDS)
        self._milvus.compact(alias, deletes=False, within=COMPACTION_SECONDS)
        return self._milvus.count(alias), locked

    def _replace(self, alias: str) -> tuple[int, float]:
        old = self._milvus.behind(alias)
        new = _successor(alias, old)
        definition = _DEFINITIONS[alias]()
        self._milvus.create(new, definition.schema, definition.indexes)
        copy = _Copy(self._milvus, definition, old, new, keep=self._keep, rewritten=_REWRITTEN.get(alias, ()))
        for _ in range(_PASSES):
            if copy.catch_up() <= _FEW:
                break
        self._milvus.flush(new)
        self._milvus.load(new)
        copy.check_keys()
        with self._lock(alias):
            began = time.monotonic()
            copy.catch_up()
            copy.check_count()
            self._milvus.point(alias, new)
            locked = time.monotonic() - began
        self._milvus.drop(old)
        return len(copy.held), locked

    def _drop_leftovers(self, alias: str) -> None:
        """Drop leftovers of a killed purge: an unused copy, or the replaced collection."""
        serving = self._milvus.behind(alias)
        for name in self._milvus.collections():
            if name != serving and re.fullmatch(rf"{alias}_v\d+", name):
                self._milvus.drop(name)


class _Copy:
    """A copy in progress: its rows, with digests of their changeable fields."""

    def __init__(
        self,
        milvus: MilvusConnection,
        definition: Definition,
        old: str,
        new: str,
        *,
        keep: Keep,
        rewritten: Sequence[str],
    ) -> None:
        self.held: dict[str, bytes] = {}
        self._milvus = milvus
        self._key = definition.key
        self._fields = [field.name for field in definition.schema.fields if not field.is_function_output]
        self._old, self._new = old, new
        self._keep = keep
        self._rewritten = list(rewritten)

    def catch_up(self) -> int:
        """Update the copy to the rows to keep; return the number of changed rows."""
        now = self._staying()
        outdated = [key for key, look in self.held.items() if now.get(key) != look]
        self._milvus.delete(self._new, self._key, outdated)
        for key in outdated:
            del self.held[key]
        missing = sorted(now.keys() - self.held.keys())
        for batch in batches(missing, _ROWS_AT_ONCE):
            rows = self._milvus.query(self._old, any_of(self._key, batch), self._fields)
            self._milvus.insert(self._new, [_plain(row) for row in rows])
            self.held |= {row[self._key]: self._look(row) for row in rows}
        return len(outdated) + len(missing)

    def check_keys(self) -> None:
        """Raise `CopyDiffers` unless a strong read finds exactly the copied rows."""
        if {row[self._key] for row in self._all(self._new, [self._key])} != self.held.keys():
            raise CopyDiffers

    def check_count(self) -> None:
        """Raise `CopyDiffers` unless a strong read counts as many rows as were copied."""
        if self._milvus.count(self._new) != len(self.held):
            raise CopyDiffers

    def _staying(self) -> dict[str, bytes]:
        found = {row[self._key]: self._look(row) for row in self._all(self._old, [self._key, *self._rewritten])}
        stay = {
            str(key)
            for batch in batches(list(found), _KEYS_AT_ONCE)
            for key in self._keep([UUID(one) for one in batch])
        }
        return {key: look for key, look in found.items() if key in stay}

    def _all(self, collection: str, fields: Sequence[str]) -> list[Row]:
        # In one response: Milvus Lite scans all rows for every page, and this runs under the lock.
        return self._milvus.query(collection, f'{self._key} != ""', fields)

    def _look(self, row: Row) -> bytes:
        """Return a digest of the fields that may change under a key."""
        if not self._rewritten:
            return b""
        said = json.dumps([row[field] for field in self._rewritten], sort_keys=True, default=str)
        return hashlib.blake2b(said.encode(), digest_size=16).digest()


def _successor(alias: str, collection: str) -> str:
    """Return the name of the next collection."""
    return f"{alias}_v{int(collection.rpartition('_v')[2]) + 1}"


def _plain(row: Row) -> Row:
    """Return a row in a form that can be inserted; arrays are read as protobuf containers."""
    return {name: value if isinstance(value, str | dict) else list(value) for name, value in row.items()}
