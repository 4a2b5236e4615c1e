"""Compare a store with PostgreSQL in both directions, and delete keys that were never announced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from uuid import UUID

from shared.erasure.reconcile import (
    KEYS_AT_ONCE,
    Keys,
    compared_by,
    confirm_cleanup,
    orphans_to_remove,
    queue_losses,
    queue_orphans,
)
from shared.erasure.sql import reconciling
from shared.erasure.sql.reconciling import Place
from shared.outbox.sql.leasing import Lease
from shared.stores.milvus_client import batches
from shared.stores.port import ErasableStore
from shared.stores.scanning import Page, Scanner
from workers.maintenance.stores import count, erase_and_prove, opened, refuse_restored, scanner, store_of, targets_of
from workers.process import process


def compare(lease: Lease) -> None:
    """Find keys a store holds without announcement, and keys it has lost; queue both for cleanup."""
    refuse_restored()
    store = opened(store_of(lease))
    store.ensure()  # after total loss since this process opened it, the missing rows are losses, not errors
    counts = Counter(scanned=0, orphans=0, checked=0, losses=0)
    within = compared_by(lease).ranges
    with scanner() as scan:
        for page in scan.pages(store.name, within=within):
            counts["scanned"] += page.rows
            counts["orphans"] += _queue_orphans(lease, store, page)
        for keys in chain.from_iterable(readable_keys(store.name, one) for one in within):
            counts["checked"] += len(keys)
            counts["losses"] += _queue_losses(lease, store, scan, keys)
    process().database.transact(lambda tx: confirm_cleanup(tx, lease, counts))
    count(store.name, "orphan", found=counts["orphans"])
    count(store.name, "loss", found=counts["losses"])


def remove_orphans(lease: Lease) -> None:
    """Delete keys that are still unannounced, and prove it."""
    store = opened(store_of(lease))
    orphans = process().database.transact(lambda tx: orphans_to_remove(tx, lease))
    erase_and_prove(store, orphans)
    removed = sum(map(len, orphans.values()))
    process().database.transact(lambda tx: confirm_cleanup(tx, lease, {"removed": removed, "residue": 0}))
    count(store.name, "orphan", removed=removed)


def readable_keys(store: str, within: tuple[UUID, UUID]) -> Iterator[Mapping[UUID, UUID]]:
    """Yield the keys a store should hold of these namespaces (first and last), in pages of key → subject id."""
    low, high = within

    def page(after: Place) -> tuple[dict[UUID, UUID], Place | None]:
        return process().database.transact(
            lambda tx: reconciling.readable_keys(tx, store, after=after, high=high, limit=KEYS_AT_ONCE)
        )

    keys, ended = page(Place(low, UUID(int=0)))
    while ended is not None:
        yield keys
        keys, ended = page(ended)


def _queue_orphans(lease: Lease, store: ErasableStore, page: Page) -> int:
    """Queue the unannounced keys of a page. The store is read first, so every legitimate key has an intent by now."""
    database = process().database
    unannounced = sorted(database.transact(lambda tx: reconciling.unannounced(tx, list(page.namespaces))))
    return sum(_queue_still_there(lease, store, page.namespaces, keys) for keys in batches(unannounced, KEYS_AT_ONCE))


def _queue_still_there(
    lease: Lease, store: ErasableStore, namespaces: Mapping[UUID, UUID], suspects: Sequence[UUID]
) -> int:
    """Queue unannounced keys that are still there, in namespaces where a second search finds any.

    Keys erased by a forget in the meantime have no announcement either, but are no longer in the store.
    """
    keys: Keys = {}
    for suspect in suspects:
        keys.setdefault(namespaces[suspect], []).append(suspect)
    residues = store.residue(targets_of(keys))
    there = {namespace: keys[namespace] for namespace, residue in zip(keys, residues, strict=True) if residue.total}
    return process().database.transact(lambda tx: queue_orphans(tx, lease, store.name, there)) if there else 0


def _queue_losses(lease: Lease, store: ErasableStore, scan: Scanner, keys: Mapping[UUID, UUID]) -> int:
    """Queue keys the store has lost. PostgreSQL is read before the store and again after it."""
    missing = {key: keys[key] for key in scan.missing(store.name, list(keys))}
    return process().database.transact(lambda tx: queue_losses(tx, lease, store.name, missing)) if missing else 0
