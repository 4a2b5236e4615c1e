"""Keys of many rows, found and deleted in calls whose size does not grow with what a person has stored."""

from __future__ import annotations

from typing import Final

from shared.stores.milvus_client import MilvusConnection, batches
from shared.stores.port import CollectionLock

PAGE: Final = 5000  # keys in one answer; Milvus Lite scans everything for each, a server allows 16,384


def matching_keys(milvus: MilvusConnection, collection: str, field: str, where: str) -> set[str]:
    """Return the keys of every matching row a strong read finds; `field` is the primary key, a uuid.

    A limited answer holds any of the rows, in no order. So a full one is asked for again in two halves, cut at
    the middle of the keys it named.
    """
    found: set[str] = set()
    pending = [(f"({where})", "")]
    while pending:
        within, low = pending.pop()
        page = _page(milvus, collection, field, within)
        middle = sorted(page)[len(page) // 2] if page else low
        if len(page) < PAGE or middle == low:
            found |= page
        else:
            pending += [(f'{within} and {field} < "{middle}"', low), (f'{within} and {field} >= "{middle}"', middle)]
    return found


def delete_matching(
    milvus: MilvusConnection, collection: str, field: str, where: str, *, lock: CollectionLock, asked: set[str]
) -> None:
    """Delete page after page until a strong read finds nothing new; adds the keys to `asked`.

    Keys in `asked` were deleted before: when Milvus still shows them, the residue tells, not another delete.
    """
    while new := _page(milvus, collection, field, where) - asked:
        delete_keys(milvus, collection, field, new, lock=lock)
        asked |= new


def delete_keys(milvus: MilvusConnection, collection: str, field: str, keys: set[str], *, lock: CollectionLock) -> None:
    """Delete rows by key, in batches, each under its own lock so that writers get their turn."""
    for batch in batches(sorted(keys)):
        with lock(collection):
            milvus.delete(collection, field, batch)


def _page(milvus: MilvusConnection, collection: str, field: str, where: str) -> set[str]:
    rows = milvus.query(collection, where, [field], consistency="Strong", limit=PAGE)
    return {str(row[field]) for row in rows}
