"""Erase, then prove absence. A step closes on evidence only: a strongly consistent search that finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from shared.commands.confirm_erasure import (
    ResidueLeft,
    bridge_supersession,
    complete_operation,
    confirm_postgres,
    confirm_store,
    read_target,
    read_targets,
    rederive_survivors,
)
from shared.commands.discard_vectors import confirm_discard, give_up_keys
from shared.domain.work import (
    DISCARD_VECTORS,
    ERASE_FILES,
    ERASE_MEM0,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    REDERIVE,
    VERIFY,
)
from shared.persistence import erasure
from shared.persistence.operations import Target
from shared.persistence.outbox import Lease
from shared.stores.port import ErasableStore, ErasureTarget, Residue, StoreUnavailable
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import Process, leased_work, process

SETTLE_SECONDS = 0.05
"""How much longer than the last write's deadline a verification waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What one store said of one target after erasing it."""

    store: str
    erased: int
    residue: Residue

    def hold(self) -> None:
        """Raise `ResidueLeft` unless the search found nothing."""
        if self.residue.total:
            raise ResidueLeft(self.store, self.residue.found)


@app.task(name="eraser.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the erasures these outbox rows name; ids that are taken or done are passed over.

    What stores do for many at once is claimed at once; behind the rest, which may take long, rows stay free for others.
    """
    others = leased_work().run(outbox_ids, erase_together, kinds=BATCHES)
    leased_work().run_each(others, erase)


def erase_together(leases: Sequence[Lease]) -> None:
    for kind, action in BATCHES.items():
        if alike := [lease for lease in leases if lease.kind == kind]:
            leased_work().attempt_together(alike, action)


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


def rederive(lease: Lease) -> None:
    target = _target(lease)
    process().database.transact(lambda tx: rederive_survivors(tx, lease, target))


def discard(lease: Lease) -> None:
    """Remove keys whose item never came to be, and prove it."""
    store = process().episodes if lease.payload["store"] == "milvus" else process().mem0
    keys = process().database.transact(lambda tx: give_up_keys(tx, lease))
    if keys:
        [proof] = _erase(store, [ErasureTarget(namespace=UUID(lease.payload["namespace"]), keys=tuple(keys))])
        proof.hold()
    process().database.transact(lambda tx: confirm_discard(tx, lease, keys))


def erase_from_store(leases: Sequence[Lease]) -> list[Callable[[], None]]:
    """Erase all targets from the store of these rows' kind; return what closes each row."""
    targets = _targets(leases)
    proofs = _prove(STORES[leases[0].kind](process()), targets)
    return [partial(_close, *row) for row in zip(leases, targets, proofs, strict=True)]


def verify(leases: Sequence[Lease]) -> list[Callable[[], None]]:
    """Wait until no announced write can still arrive, then delete once more and search every store again."""
    targets = _targets(leases)
    waits = process().database.transact(lambda tx: erasure.unfinished_writes(tx, targets))
    settled = [target for target, seconds in zip(targets, waits, strict=True) if not seconds]
    proofs: dict[UUID, list[Proof]] = {target.operation_id: [] for target in settled}
    for store in STORES.values() if settled else ():
        for target, proof in zip(settled, _prove(store(process()), settled), strict=True):
            proofs[target.operation_id].append(proof)
    return [
        partial(_wait_for_writes, seconds)
        if seconds
        else partial(_complete, lease, target, proofs[target.operation_id])
        for lease, target, seconds in zip(leases, targets, waits, strict=True)
    ]


STORES: Final[dict[str, Callable[[Process], ErasableStore]]] = {
    ERASE_MILVUS: lambda parts: parts.episodes,
    ERASE_MEM0: lambda parts: parts.mem0,
    ERASE_FILES: lambda parts: parts.files,
}
BATCHES: Final[dict[str, Callable[[Sequence[Lease]], list[Callable[[], None]]]]] = {
    **dict.fromkeys(STORES, erase_from_store),
    VERIFY: verify,
}
STEPS: Final[dict[str, Callable[[Lease], None]]] = {
    ERASE_POSTGRES: erase_postgres,
    REDERIVE: rederive,
    DISCARD_VECTORS: discard,
}


def _close(lease: Lease, target: Target, proof: Proof) -> None:
    proof.hold()
    process().database.transact(lambda tx: confirm_store(tx, lease, target, erased=proof.erased))


def _wait_for_writes(seconds: float) -> None:
    raise Postponed("waiting_for_writes", seconds + SETTLE_SECONDS)


def _complete(lease: Lease, target: Target, proofs: Sequence[Proof]) -> None:
    for proof in proofs:
        proof.hold()
    database = process().database
    while database.transact(lambda tx: erasure.erase_batch(tx, target)):
        pass  # what a late writer left since the PostgreSQL step
    counts = {f"{proof.store}_residue": 0 for proof in proofs}
    database.transact(lambda tx: complete_operation(tx, lease, target, {**counts, "postgres_residue": 0}))


def _prove(store: ErasableStore, targets: Sequence[Target]) -> list[Proof]:
    doomed = process().database.transact(lambda tx: erasure.doomed(tx, targets, store.name))
    return _erase(
        store,
        [
            ErasureTarget(
                namespace=one.namespace,
                keys=one.keys,
                conversation_ids=one.conversation_ids,
                message_ids=one.message_ids,
                whole_namespace=one.whole_namespace,
            )
            for one in doomed
        ],
    )


def _erase(store: ErasableStore, targets: Sequence[ErasureTarget]) -> list[Proof]:
    """Delete what was announced and search for the rest, which is usually nothing; only what is found is erased again.

    The search that proves comes after the last delete, whichever that is.
    """
    try:
        erased = store.erase(targets, search=False)
        residue = store.residue(targets)
        if left := [place for place, one in enumerate(residue) if one.total]:
            again = [targets[place] for place in left]
            for place, count, one in zip(left, store.erase(again), store.residue(again), strict=True):
                erased[place], residue[place] = count, one
    except StoreUnavailable:
        # mem0 stands on Milvus: the person is told which of the two waits.
        raise StoreUnavailable(store.name) from None
    return [Proof(store=store.name, erased=count, residue=one) for count, one in zip(erased, residue, strict=True)]


def _target(lease: Lease) -> Target:
    operation_id = _operation(lease)
    return process().database.transact(lambda tx: read_target(tx, operation_id))


def _targets(leases: Sequence[Lease]) -> list[Target]:
    operations = [_operation(lease) for lease in leases]
    found = process().database.transact(lambda tx: read_targets(tx, operations))
    return [found[operation_id] for operation_id in operations]


def _operation(lease: Lease) -> UUID:
    assert lease.operation_id is not None  # noqa: S101 # every row of these kinds has its operation
    return lease.operation_id
