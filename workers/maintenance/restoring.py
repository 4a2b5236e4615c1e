"""Rewrite copies a store has lost; a concurrent forget wins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from shared.erasure.reconcile import confirm_cleanup
from shared.erasure.restore_vectors import (
    LostEpisode,
    LostMemory,
    announce_lost_episode,
    announce_lost_memory,
    confirm_restored,
    lost_episodes,
    lost_memories,
)
from shared.kernel import subjects
from shared.language.embedding.bundled import Unembeddable, each_passage
from shared.lineage.sql.vector_keys import START_WITHIN_SECONDS
from shared.outbox.sql.leasing import Lease
from shared.stores.milvus_client import batches
from shared.stores.port import ErasableStore, StoreFailed
from shared.stores.scanning import Scanner
from workers.maintenance.reconciling import readable_keys
from workers.maintenance.stores import count, erase_and_prove, opened, refuse_restored, scanner, store_of
from workers.process import process
from workers.remembering import episode_vector, remember

AT_ONCE: Final = 20
"""Copies announced, written and confirmed together, well within their deadline."""


def restore_losses(lease: Lease) -> None:
    """Rewrite every copy of one person that a store has lost."""
    refuse_restored()
    store = opened(store_of(lease))
    losses = repaired = 0
    database = process().database.of(lease.subject_id)
    subject = database.transact(lambda tx: subjects.read(tx, lease.subject_id))
    own = (subject.namespace, subject.namespace) if subject else None
    with scanner() as scan:
        for page in readable_keys(store.name, own) if own else ():
            for keys in batches(sorted(scan.missing(store.name, list(page))), AT_ONCE):
                losses += len(keys)
                repaired += _restore(lease, store, scan, keys)
    counts = {"repaired": repaired, "forgotten": losses - repaired}
    database.transact(lambda tx: confirm_cleanup(tx, lease, counts))
    count(store.name, "loss", **counts)


def _restore(lease: Lease, store: ErasableStore, scan: Scanner, keys: Sequence[UUID]) -> int:
    """Write copies under new keys, check that these exist and the lost ones do not; return how many were restored."""
    written = write_again(lease, store, keys)
    for namespace, pairs in written.items():
        erase_and_prove(store, {namespace: list(pairs)})  # mem0's entities may still refer to a lost memory
    restored = {lost: key for pairs in written.values() for lost, key in pairs.items()}
    if scan.missing(store.name, list(restored.values())):
        raise StoreFailed(store.name, "LostAgain")
    return process().database.of(lease.subject_id).transact(lambda tx: confirm_restored(tx, lease, restored))


def write_again(lease: Lease, store: ErasableStore, keys: Sequence[UUID]) -> dict[UUID, dict[UUID, UUID]]:
    """Write the items of some keys under new, announced keys; return old key → new key by namespace."""
    return (_write_memories if store.name == "mem0" else _write_episodes)(lease, keys)


def _write_episodes(lease: Lease, keys: Sequence[UUID]) -> dict[UUID, dict[UUID, UUID]]:
    """Embed turns and write them again; return lost key → new key by namespace."""
    database = process().database.of(lease.subject_id)
    episodes = database.transact(lambda tx: lost_episodes(tx, lease, keys, terms=process().terms))
    vectors = each_passage(process().embedder, [episode.plan.text for episode in episodes])
    start_before = time.monotonic() + START_WITHIN_SECONDS
    announced = [
        (episode, vector)
        for episode, vector in zip(episodes, vectors, strict=True)
        if vector is not None and _announce_episode(episode)
    ]
    process().episodes.insert(
        [episode_vector(one.plan, vector) for one, vector in announced], start_before=start_before
    )
    written: dict[UUID, dict[UUID, UUID]] = {}
    for episode, _ in announced:
        written.setdefault(episode.plan.subject.namespace, {})[episode.lost] = episode.plan.key
    return written


def _announce_episode(episode: LostEpisode) -> bool:
    return process().database.of(episode.plan.subject.id).transact(lambda tx: announce_lost_episode(tx, episode))


def _write_memories(lease: Lease, keys: Sequence[UUID]) -> dict[UUID, dict[UUID, UUID]]:
    """Let mem0 store memories again; return lost key → new key by namespace."""
    written: dict[UUID, dict[UUID, UUID]] = {}
    for memory in process().database.of(lease.subject_id).transact(lambda tx: lost_memories(tx, lease, keys)):
        if (key := _write_memory(memory)) is not None:
            written.setdefault(memory.subject.namespace, {})[memory.lost] = key
    return written


def _write_memory(memory: LostMemory) -> UUID | None:
    """Let mem0 store one memory again; return its new key, or None if it was forgotten meanwhile or has no vector."""
    try:
        return remember(
            memory.subject,
            memory.text,
            [],
            lambda tx, keys, kind: announce_lost_memory(tx, memory, keys, kind),
        )
    except Unembeddable:
        return None
