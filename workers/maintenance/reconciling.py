"""Compare a store with PostgreSQL in both directions, and remove what nobody announced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from shared.erasure.reconcile import KEYS_AT_ONCE, Keys, confirm_cleanup, orphans_to_remove, queue_losses, queue_orphans
from shared.erasure.sql import reconciling
from shared.outbox.sql.outbox import Lease
from shared.stores.milvus_client import batches
from shared.stores.port import ErasableStore
from shared.stores.scanning import Page, Scanner
from workers.maintenance.stores import count, erase_and_prove, opened, refuse_restored, scanner, store_of, targets_of
from workers.process import process


def compare(lease: Lease) -> None:
    """Find what a store holds although nobody announced it, and what it has lost; queue both for cleaning up."""
    refuse_restored()
    store = opened(store_of(lease))
    store.ensure()  # if all was lost since this process opened it, losses are found and not errors
    counts = Counter(scanned=0, orphans=0, checked=0, losses=0)
    with scanner() as scan:
        for page in scan.pages(store.name):
            counts["scanned"] += page.rows
            counts["orphans"] += _queue_orphans(lease, store, page)
        for keys in readable_keys(store.name):
            counts["checked"] += len(keys)
            counts["losses"] += _queue_losses(lease, store, scan, keys)
    process().database.transact(lambda tx: confirm_cleanup(tx, lease, counts))
    count(store.name, "orphan", found=counts["orphans"])
    count(store.name, "loss", found=counts["losses"])


def remove_orphans(lease: Lease) -> None:
    """Delete keys that nobody announced to this day, and prove it."""
    store = opened(store_of(lease))
    orphans = process().database.transact(lambda tx: orphans_to_remove(tx, lease))
    erase_and_prove(store, orphans)
    removed = sum(map(len, orphans.values()))
    process().database.transact(lambda tx: confirm_cleanup(tx, lease, {"removed": removed, "residue": 0}))
    count(store.name, "orphan", removed=removed)


def readable_keys(store: str, *, subject_id: UUID | None = None) -> Iterator[Mapping[UUID, UUID]]:
    """Yield the keys a store should hold, key → person, in pages; of one person when named."""

    def page(after: UUID | None) -> dict[UUID, UUID]:
        return process().database.transact(
            lambda tx: reconciling.readable_keys(tx, store, after=after, limit=KEYS_AT_ONCE, subject_id=subject_id)
        )

    keys = page(None)
    while keys:
        yield keys
        keys = page(max(keys))


def _queue_orphans(lease: Lease, store: ErasableStore, page: Page) -> int:
    """Queue those keys of a page that nobody announced; the store was read first, so what it held has an intent."""
    database = process().database
    unannounced = sorted(database.transact(lambda tx: reconciling.unannounced(tx, list(page.namespaces))))
    return sum(_queue_still_there(lease, store, page.namespaces, keys) for keys in batches(unannounced, KEYS_AT_ONCE))


def _queue_still_there(
    lease: Lease, store: ErasableStore, namespaces: Mapping[UUID, UUID], suspects: Sequence[UUID]
) -> int:
    """Queue unannounced keys after a second look, in namespaces where it finds any.

    What a forget has erased meanwhile has no announcement either, and is not there.
    """
    keys: Keys = {}
    for suspect in suspects:
        keys.setdefault(namespaces[suspect], []).append(suspect)
    residues = store.residue(targets_of(keys))
    there = {namespace: keys[namespace] for namespace, residue in zip(keys, residues, strict=True) if residue.total}
    return process().database.transact(lambda tx: queue_orphans(tx, lease, store.name, there)) if there else 0


def _queue_losses(lease: Lease, store: ErasableStore, scan: Scanner, keys: Mapping[UUID, UUID]) -> int:
    """Queue those keys the store does not hold; PostgreSQL was asked before it and is asked again after it."""
    missing = {key: keys[key] for key in scan.missing(store.name, list(keys))}
    return process().database.transact(lambda tx: queue_losses(tx, lease, store.name, missing)) if missing else 0
