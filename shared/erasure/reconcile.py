"""Find and mend what PostgreSQL and the stores outside disagree on (X-07).

An *orphan* is a copy nobody announced: left by a writer that was paused past its deadline, or brought back by a store
that lost a delete. A *loss* is an item that may be read but whose copy is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from shared.erasure.sql import reconciling
from shared.erasure.sql.reconciling import Part
from shared.kernel.database import Transaction
from shared.kernel.ids import OperationId
from shared.kernel.locks import one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import INSTALLATION
from shared.lineage.sql import vector_keys
from shared.outbox.close_step import close_step
from shared.outbox.job_kinds import RECONCILE_MEM0, RECONCILE_MILVUS, REMOVE_ORPHANS, RESTORE_LOSSES
from shared.outbox.sql import reaper, steps
from shared.outbox.sql.outbox import Lease

RECONCILE: Final = "cleanup_reconcile"
ORPHANS: Final = "cleanup_orphans"
LOSSES: Final = "cleanup_losses"

SCANS: Final = {"milvus": RECONCILE_MILVUS, "mem0": RECONCILE_MEM0}
"""Store, which is also the step's name → outbox kind. A store that is down never holds up the other."""

KEYS_AT_ONCE: Final = 500

Keys: TypeAlias = dict[UUID, list[UUID]]
"""Store keys by the namespace they were found in."""


def queue_reconcile(tx: Transaction) -> OperationId:
    """Queue a comparison of all stores; one that has not ended is joined, and what it waits for tried at once."""
    one_at_a_time(tx, RECONCILE)
    if under_way := reconciling.unfinished(tx, RECONCILE):
        reaper.retry_operation(tx, under_way)
        steps.reopen_failed(tx, under_way)
        return under_way
    operation_id = OperationId(new_id())
    scans = {store: Part(kind=kind, payload={}) for store, kind in SCANS.items()}
    reconciling.add(tx, INSTALLATION, operation_id, type_=RECONCILE, parts=scans)
    return operation_id


def queue_orphans(tx: Transaction, lease: Lease, store: str, orphans: Mapping[UUID, Sequence[UUID]]) -> int:
    """Queue the removal of keys that a store holds although nobody announced them; returns how many were not yet.

    Whose namespace it is now owns the cleanup, else the installation does.
    """
    one_at_a_time(tx, ORPHANS, store)
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
    """Queue the repair of items whose copy a store does not hold; returns how many are lost.

    Args:
        missing: key → person. What was forgotten or written anew meanwhile is not lost.
    """
    one_at_a_time(tx, LOSSES, store)
    lost = vector_keys.visible(tx, list(missing))
    people = {missing[key] for key in lost}
    for person in sorted(people - reconciling.being_cleaned(tx, LOSSES, store, list(people))):
        part = Part(kind=RESTORE_LOSSES, payload={"store": store})
        reconciling.add(
            tx, person, OperationId(new_id()), type_=LOSSES, parts={store: part}, found_by=lease.operation_id
        )
    return len(lost)


def orphans_to_remove(tx: Transaction, lease: Lease) -> Keys:
    """Return the keys of a cleanup nobody announced to this day."""
    named = {
        UUID(key): UUID(namespace) for namespace, keys in dict(lease.payload["keys"]).items() for key in map(str, keys)
    }
    found: Keys = {}
    for key in sorted(reconciling.unannounced(tx, list(named))):
        found.setdefault(named[key], []).append(key)
    return found


def confirm_cleanup(tx: Transaction, lease: Lease, counts: Mapping[str, int]) -> None:
    """Close a step of a cleanup with what it counted.

    Raises:
        LeaseLost: the row is someone else's by now.
    """
    close_step(tx, lease, counts)


def _wire(found: Sequence[tuple[UUID, UUID]]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for namespace, key in found:
        keys.setdefault(str(namespace), []).append(str(key))
    return keys
