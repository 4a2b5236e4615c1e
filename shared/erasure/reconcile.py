"""Find and repair differences between PostgreSQL and the external stores (X-07).

An *orphan* is a copy without an announcement, left by a writer that was paused past its deadline or restored by a store
that lost a delete. A *loss* is a readable item whose copy is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias
from uuid import UUID

from shared.erasure.rules.slices import EVERYTHING, Named, Slice, slice_after
from shared.erasure.sql import forgotten, reconciling
from shared.erasure.sql.reconciling import Part
from shared.kernel.database import Transaction
from shared.kernel.ids import OperationId
from shared.kernel.locks import one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import INSTALLATION
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import RECONCILE_MEM0, RECONCILE_MILVUS, REMOVE_ORPHANS, RESTORE_LOSSES
from shared.outbox.sql import reaper, steps
from shared.outbox.sql.leasing import Lease
from shared.outbox.stages import close_step

RECONCILE: Final = "cleanup_reconcile"
ORPHANS: Final = "cleanup_orphans"
LOSSES: Final = "cleanup_losses"

SCANS: Final = {"milvus": RECONCILE_MILVUS, "mem0": RECONCILE_MEM0}
"""Store (also the step's name) → outbox kind. If a store is down, the other is not blocked."""

KEYS_AT_ONCE: Final = 500
NAMED_MAX: Final = 200
"""Namespaces compared at a time after forgets."""

Keys: TypeAlias = dict[UUID, list[UUID]]
"""Namespace → store keys found in it."""


def queue_reconcile(tx: Transaction, *, anew: bool = False) -> OperationId:
    """Queue a comparison of all stores. If one is unfinished, return it and retry its waiting steps at once.

    Args:
        anew: not one that has compared a store already, or is about to: it would miss what is there from now on.
    """
    one_at_a_time(tx, RECONCILE, patient=True)
    return _queue(tx, EVERYTHING, reconciling.unfinished_slices(tx, RECONCILE, begun=not anew).get(EVERYTHING))


def queue_next_slice(tx: Transaction) -> OperationId:
    """Queue a comparison of the next slice of all people; any that is unfinished is returned, and tried at once."""
    one_at_a_time(tx, RECONCILE, patient=True)
    under_way = next(iter(reconciling.unfinished_slices(tx, RECONCILE).values()), None)
    last = reconciling.last_slice(tx)
    return _queue(tx, slice_after(last, reconciling.about_how_many_keys(tx)), under_way)


def queue_forgotten(tx: Transaction) -> int:
    """Queue a comparison of the namespaces in which something was forgotten since the last one; return their number.

    So what a store did not really delete, or a writer added late, is found soon and not when the circle of slices comes
    by. Each forget is followed by one comparison. While one is unfinished no second one begins: what it failed at is
    tried again as all work is.
    """
    one_at_a_time(tx, RECONCILE, patient=True)
    before = forgotten.last_comparison(tx)
    if before is not None and before.is_unfinished:
        return 0
    through, found = forgotten.namespaces(tx, after=before.through if before else None, limit=NAMED_MAX)
    if through is None:
        return 0
    payload = {"namespaces": [str(one) for one in found]}
    _add(tx, payload, about={"through": through.isoformat()})
    return len(found)


def _queue(tx: Transaction, part: Slice, under_way: OperationId | None) -> OperationId:
    if under_way:
        reaper.retry_operation(tx, under_way)
        steps.reopen_failed(tx, under_way)
        return under_way
    payload = {"part": part.part, "of": part.of}
    return _add(tx, payload, about=payload)


def _add(tx: Transaction, payload: dict[str, Any], *, about: Mapping[str, Any]) -> OperationId:
    operation_id = OperationId(new_id())
    scans = {store: Part(kind=kind, payload=payload) for store, kind in SCANS.items()}
    reconciling.add(tx, INSTALLATION, operation_id, type_=RECONCILE, parts=scans, about=about)
    return operation_id


def compared_by(lease: Lease) -> Slice | Named:
    """Return what a comparison is about."""
    if "namespaces" in lease.payload:
        return Named(namespaces=tuple(map(UUID, lease.payload["namespaces"])))
    return Slice(part=int(lease.payload.get("part", 0)), of=int(lease.payload.get("of", 1)))


def queue_orphans(tx: Transaction, lease: Lease, store: str, orphans: Mapping[UUID, Sequence[UUID]]) -> int:
    """Queue the removal of unannounced keys found in a store; return how many were not queued already.

    The namespace's current owner owns the cleanup; without an owner, the installation does.
    """
    one_at_a_time(tx, ORPHANS, store, patient=True)
    waiting = reconciling.waiting_orphans(tx)
    owners = reconciling.owners(tx, list(orphans))
    of_owner: defaultdict[UUID, list[tuple[UUID, UUID]]] = defaultdict(list)
    for namespace, keys in orphans.items():
        of_owner[owners.get(namespace, INSTALLATION)] += [(namespace, key) for key in keys if key not in waiting]
    for owner, found in of_owner.items():
        for start in range(0, len(found), KEYS_AT_ONCE):
            payload = {"store": store, "keys": _wire(found[start : start + KEYS_AT_ONCE])}
            part = Part(kind=REMOVE_ORPHANS, payload=payload)
            reconciling.add(
                tx, owner, OperationId(new_id()), type_=ORPHANS, parts={store: part}, found_by=lease.operation_id
            )
    return sum(len(found) for found in of_owner.values())


def queue_losses(tx: Transaction, lease: Lease, store: str, missing: Mapping[UUID, UUID]) -> int:
    """Queue the repair of items whose copy a store lacks; return how many are lost.

    Args:
        missing: key → person. Items forgotten or rewritten meanwhile are not lost.
    """
    one_at_a_time(tx, LOSSES, store, patient=True)
    lost = vector_keys.visible(tx, list(missing))
    people = {missing[key] for key in lost}
    for person in sorted(people - reconciling.being_cleaned(tx, LOSSES, store, list(people))):
        part = Part(kind=RESTORE_LOSSES, payload={"store": store})
        reconciling.add(
            tx, person, OperationId(new_id()), type_=LOSSES, parts={store: part}, found_by=lease.operation_id
        )
    return len(lost)


def orphans_to_remove(tx: Transaction, lease: Lease) -> Keys:
    """Return the cleanup's keys that are still unannounced."""
    named = {
        UUID(key): UUID(namespace) for namespace, keys in dict(lease.payload["keys"]).items() for key in map(str, keys)
    }
    found: Keys = {}
    for key in sorted(reconciling.unannounced(tx, list(named))):
        found.setdefault(named[key], []).append(key)
    return found


def confirm_cleanup(tx: Transaction, lease: Lease, counts: Mapping[str, int]) -> None:
    """Close a step of a cleanup with its counts.

    Raises:
        LeaseLost: another worker holds the row now.
    """
    close_step(tx, lease, counts)


def _wire(found: Sequence[tuple[UUID, UUID]]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for namespace, key in found:
        keys.setdefault(str(namespace), []).append(str(key))
    return keys
