"""Rewrite a person's vectors and search words under new keys, and erase the old ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from shared.erasure.reconcile import confirm_cleanup
from shared.erasure.reindex import confirm_replaced, queue_people
from shared.erasure.restore_vectors import lost_episodes, lost_memories
from shared.erasure.sql import reindexing
from shared.kernel.locks import collection_lock
from shared.language import terms
from shared.lineage.sql import vector_keys
from shared.outbox.sql.leasing import Lease
from shared.stores.milvus_purging import Purger
from shared.stores.port import ErasableStore, StoreFailed
from shared.stores.scanning import Scanner
from workers.maintenance.restoring import AT_ONCE, write_again
from workers.maintenance.stores import erase_and_prove, opened, refuse_restored, scanner, store_of
from workers.process import process


def reindex(lease: Lease) -> None:
    """Rebuild the index of one person in a store, or queue a rebuild for everybody."""
    refuse_restored()
    if "store" not in lease.payload:
        _queue_everybody(lease)
        return
    made_anew = _with_our_dimensions(store_of(lease))
    store = opened(store_of(lease))
    store.ensure()  # the store may have lost everything
    _erase_replaced(lease, store)
    found = written = 0
    with scanner() as scan:
        for keys in _outdated(lease, store.name):
            found += len(keys)
            written += _replace(lease, store, scan, keys)
    counts = {"reindexed": written, "forgotten": found - written, "collections": made_anew}
    process().database.transact(lambda tx: confirm_cleanup(tx, lease, counts))


def _queue_everybody(lease: Lease) -> None:
    database = process().database
    people, after = 0, None
    while page := database.transact(lambda tx, after=after: queue_people(tx, lease, after)):  # type: ignore[misc]
        people, after = people + len(page), page[-1]
    database.transact(lambda tx: confirm_cleanup(tx, lease, {"people": people}))


def _with_our_dimensions(name: str) -> int:
    """Replace collections whose vectors have other dimensions by empty ones; return how many."""
    settings = process().settings
    purger = Purger(
        settings.milvus_uri,
        token=settings.milvus_token.get_secret_value(),
        flavour=settings.milvus_flavour,
        lock=collection_lock(process().locks, exclusive=True),
        keep=lambda _: set(),
    )
    try:
        return purger.replace_misfits(name)
    finally:
        purger.close()


def _outdated(lease: Lease, store: str) -> Iterator[list[UUID]]:
    """Yield keys older than the operation, in pages."""

    def page(after: UUID | None) -> list[UUID]:
        operation_id = lease.operation_id
        assert operation_id is not None  # noqa: S101 # its rows have one
        return (
            process()
            .database.of(lease.subject_id)
            .transact(
                lambda tx: reindexing.outdated(tx, store, lease.subject_id, operation_id, after=after, limit=AT_ONCE)
            )
        )

    keys = page(None)
    while keys:
        yield keys
        keys = page(keys[-1])


def _replace(lease: Lease, store: ErasableStore, scan: Scanner, keys: Sequence[UUID]) -> int:
    """Write copies under new keys, check and publish them, and erase the old ones; return how many were replaced."""
    messages, memories = _found_by(lease, store.name, keys)
    written = write_again(lease, store, keys)
    replaced = {old: key for pairs in written.values() for old, key in pairs.items()}
    if scan.missing(store.name, list(replaced.values())):
        raise StoreFailed(store.name, "LostAgain")
    theirs = process().database.of(lease.subject_id)
    standing = theirs.transact(lambda tx: confirm_replaced(tx, lease, replaced, messages, memories))
    _erase_replaced(lease, store)
    return len(standing)


def _erase_replaced(lease: Lease, store: ErasableStore) -> None:
    """Erase replaced keys, including those of earlier attempts, and prove it."""
    database = process().database.of(lease.subject_id)
    keys = database.transact(lambda tx: reindexing.replaced(tx, store.name, lease.subject_id))
    erase_and_prove(store, keys)
    database.transact(lambda tx: vector_keys.delete(tx, [key for some in keys.values() for key in some]))


def _found_by(
    lease: Lease, store: str, keys: Sequence[UUID]
) -> tuple[Mapping[UUID, list[int]], Mapping[UUID, list[int]]]:
    """Return the search-word digests of the messages, or of the memories, for some keys."""
    database = process().database.of(lease.subject_id)
    if store == "mem0":
        lost = database.transact(lambda tx: lost_memories(tx, lease, keys))
        return {}, {one.memory_id: terms.digests(terms.words(one.text), one.subject.namespace) for one in lost}
    plans = [one.plan for one in database.transact(lambda tx: lost_episodes(tx, lease, keys, terms=process().terms))]
    return {
        message.id: terms.digests(terms.words(message.text), plan.subject.namespace, within=message.conversation_id)
        for plan in plans
        for message in plan.turn.messages
    }, {}
