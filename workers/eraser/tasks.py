"""Erase, then prove absence. A step closes on evidence only: a strongly consistent search that finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from shared.commands.confirm_erasure import (
    ResidueLeft,
    bridge_supersession,
    complete_operation,
    confirm_postgres,
    confirm_store,
    read_target,
    rederive_survivors,
)
from shared.commands.discard_vectors import confirm_discard, give_up_keys
from shared.domain.work import DISCARD_VECTORS, ERASE_MEM0, ERASE_MILVUS, ERASE_POSTGRES, REDERIVE, VERIFY
from shared.persistence import erasure
from shared.persistence.operations import Target
from shared.persistence.outbox import Lease
from shared.stores.port import ErasableStore, ErasureTarget, StoreUnavailable
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import leased_work, process

SETTLE_SECONDS = 0.05
"""How much longer than the last write's deadline a verification waits."""


@app.task(name="eraser.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the erasures these outbox rows name; ids that are taken or done are passed over."""
    leased_work().run_each(outbox_ids, erase)


def erase(lease: Lease) -> None:
    STEPS[lease.kind](lease)


def erase_postgres(lease: Lease) -> None:
    """Delete every row of the target, in batches, and close when no table holds any."""
    target = _target(lease)
    database = process().database
    database.transact(lambda tx: bridge_supersession(tx, target))
    erased = 0
    while batch := database.transact(lambda tx: erasure.erase_batch(tx, target)):
        erased += batch
    database.transact(lambda tx: confirm_postgres(tx, lease, target, erased=erased))


def erase_milvus(lease: Lease) -> None:
    _erase_from(lease, process().episodes)


def erase_mem0(lease: Lease) -> None:
    _erase_from(lease, process().mem0)


def rederive(lease: Lease) -> None:
    target = _target(lease)
    process().database.transact(lambda tx: rederive_survivors(tx, lease, target))


def verify(lease: Lease) -> None:
    """Wait until no announced write can still arrive, then delete once more and search every store again."""
    target = _target(lease)
    database = process().database
    if seconds := database.transact(lambda tx: erasure.unfinished_writes(tx, target)):
        raise Postponed("waiting_for_writes", seconds + SETTLE_SECONDS)
    counts: dict[str, int] = {}
    for store in (process().episodes, process().mem0):
        _erase_and_prove(store, target)
        counts[f"{store.name}_residue"] = 0
    while database.transact(lambda tx: erasure.erase_batch(tx, target)):
        pass  # what a late writer left since the PostgreSQL step
    database.transact(lambda tx: complete_operation(tx, lease, target, {**counts, "postgres_residue": 0}))


def discard(lease: Lease) -> None:
    """Remove keys whose item never came to be, and prove it."""
    store = process().episodes if lease.payload["store"] == "milvus" else process().mem0
    keys = process().database.transact(lambda tx: give_up_keys(tx, lease))
    if keys:
        _prove(store, ErasureTarget(namespace=UUID(lease.payload["namespace"]), keys=tuple(keys)))
    process().database.transact(lambda tx: confirm_discard(tx, lease, keys))


STEPS: Final[dict[str, Callable[[Lease], None]]] = {
    ERASE_POSTGRES: erase_postgres,
    ERASE_MILVUS: erase_milvus,
    ERASE_MEM0: erase_mem0,
    REDERIVE: rederive,
    VERIFY: verify,
    DISCARD_VECTORS: discard,
}


def _erase_from(lease: Lease, store: ErasableStore) -> None:
    target = _target(lease)
    erased = _erase_and_prove(store, target)
    process().database.transact(lambda tx: confirm_store(tx, lease, target, erased=erased))


def _erase_and_prove(store: ErasableStore, target: Target) -> int:
    doomed = process().database.transact(lambda tx: erasure.doomed(tx, target, store.name))
    return _prove(
        store,
        ErasureTarget(
            namespace=doomed.namespace,
            keys=doomed.keys,
            conversation_ids=doomed.conversation_ids,
            message_ids=doomed.message_ids,
            whole_namespace=doomed.whole_namespace,
        ),
    )


def _prove(store: ErasableStore, target: ErasureTarget) -> int:
    try:
        erased = store.erase(target)
        residue = store.residue(target)
    except StoreUnavailable:
        # mem0 stands on Milvus: the person is told which of the two waits.
        raise StoreUnavailable(store.name) from None
    if residue.total:
        raise ResidueLeft(store.name, residue.found)
    return erased


def _target(lease: Lease) -> Target:
    operation_id = lease.operation_id
    assert operation_id is not None  # noqa: S101 # every row of these kinds has its operation
    return process().database.transact(lambda tx: read_target(tx, operation_id))
