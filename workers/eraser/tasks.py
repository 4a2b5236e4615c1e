"""Erase, then prove absence. A step is closed only when a strongly consistent search finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from typing import Final
from uuid import UUID

from shared.erasure import verify as verification
from shared.erasure.discard_vectors import confirm_discard, give_up_keys
from shared.erasure.sql import store_keys
from shared.erasure.sql.store_keys import StoreTarget
from shared.erasure.verify import ResidueLeft, complete_operation, confirm_store, read_targets, rederive_survivors
from shared.kernel.database import Transaction
from shared.outbox.job_kinds import (
    DISCARD_VECTORS,
    ERASE_FILES,
    ERASE_MEM0,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    REDERIVE,
    VERIFY,
)
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.targets import Target
from shared.stores.port import ErasableStore, ErasureTarget, Residue, StoreUnavailable
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import Process, leased_work, process

SETTLE_SECONDS = 0.05
"""Extra time a verification waits after the last write's deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of erasing one target from one store."""

    store: str
    erased: int
    residue: Residue

    def hold(self) -> None:
        """Raise `ResidueLeft` unless the search found nothing."""
        if self.residue.total:
            raise ResidueLeft(self.store, self.residue.found)


@app.task(name="eraser.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Do the erasures of these outbox rows; rows that are claimed or done are skipped.

    Store steps handle many rows in one batch. Other steps may take long, so they are claimed one at a time.
    """
    others = leased_work().run(outbox_ids, erase_together, kinds=BATCHES)
    leased_work().run_each(others, erase, kinds=STEPS)


def erase_together(leases: Sequence[Lease]) -> None:
    for kind, action in BATCHES.items():
        if alike := [lease for lease in leases if lease.kind == kind]:
            leased_work().attempt_together(alike, action)


def erase(lease: Lease) -> None:
    STEPS[lease.kind](lease)


def erase_postgres(lease: Lease) -> None:
    """Delete every row of the target, in batches; close the step when no table has any left."""
    database = process().database.of(lease.subject_id)
    while not database.transact(lambda tx: verification.erase_postgres(tx, lease)):
        pass


def rederive(lease: Lease) -> None:
    process().database.of(lease.subject_id).transact(lambda tx: rederive_survivors(tx, lease, terms=process().terms))


def discard(lease: Lease) -> None:
    """Delete keys whose item was never created, and prove it."""
    store = _store(lease.payload["store"])
    database = process().database.of(lease.subject_id)
    keys = database.transact(lambda tx: give_up_keys(tx, lease))
    if keys:
        [proof] = _remove(store, [ErasureTarget(namespace=UUID(lease.payload["namespace"]), keys=tuple(keys))])
        proof.hold()
    database.transact(lambda tx: confirm_discard(tx, lease, keys))


def erase_from_store(leases: Sequence[Lease]) -> list[Callable[[], None]]:
    """Erase the announced keys of all targets from these rows' store; return a closing function per row."""
    store = STORES[leases[0].kind](process())

    def read(tx: Transaction) -> tuple[list[Target], list[StoreTarget]]:
        targets = read_targets(tx, leases)
        return targets, store_keys.doomed(tx, targets, [store.name])[store.name]

    targets, doomed = process().database.transact(read)
    proofs = _remove(store, list(map(_as_target, doomed)))
    return [partial(_close, *row) for row in zip(leases, targets, proofs, strict=True)]


def verify(leases: Sequence[Lease]) -> list[Callable[[], None]]:
    """Wait until no announced write can still arrive, then search every store by key and wherever copies may remain.

    Anything found is erased and searched for again, so the last action is always a search that finds nothing.
    """

    def read(tx: Transaction) -> tuple[list[Target], list[float], dict[str, list[StoreTarget]]]:
        targets = read_targets(tx, leases)
        return targets, store_keys.unfinished_writes(tx, targets), store_keys.doomed(tx, targets, list(stores))

    stores = {store.name: store for store in (opened(process()) for opened in STORES.values())}
    targets, waits, doomed = process().database.transact(read)
    settled = [place for place, seconds in enumerate(waits) if not seconds]
    proofs: dict[int, list[Proof]] = {place: [] for place in settled}
    for name, store in stores.items() if settled else ():
        searched = [_as_target(doomed[name][place]) for place in settled]
        for place, proof in zip(settled, _prove(store, searched), strict=True):
            proofs[place].append(proof)
    return [
        partial(_wait_for_writes, waits[place]) if waits[place] else partial(_complete, *row, proofs[place])
        for place, row in enumerate(zip(leases, targets, strict=True))
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


def _store(name: str) -> ErasableStore:
    match name:
        case "milvus":
            return process().episodes
        case "files":
            return process().files
        case _:  # mem0 and mem0's entities
            return process().mem0


def _close(lease: Lease, target: Target, proof: Proof) -> None:
    proof.hold()
    process().database.of(lease.subject_id).transact(lambda tx: confirm_store(tx, lease, target, erased=proof.erased))


def _wait_for_writes(seconds: float) -> None:
    raise Postponed("waiting_for_writes", seconds + SETTLE_SECONDS)


def _complete(lease: Lease, target: Target, proofs: Sequence[Proof]) -> None:
    for proof in proofs:
        proof.hold()
    counts = {**{f"{proof.store}_residue": 0 for proof in proofs}, "postgres_residue": 0}
    database = process().database.of(lease.subject_id)
    while not database.transact(lambda tx: complete_operation(tx, lease, target, counts)):
        pass  # a late writer left more rows since the PostgreSQL step than one transaction deletes


def _as_target(doomed: StoreTarget) -> ErasureTarget:
    return ErasureTarget(**{field.name: getattr(doomed, field.name) for field in fields(StoreTarget)})


def _remove(store: ErasableStore, targets: Sequence[ErasureTarget]) -> list[Proof]:
    """Delete the announced keys and prove it by key."""
    with _named(store):
        erased = store.erase(targets, search=False)
        return _proofs(store, targets, erased, store.residue(targets, search=False))


def _prove(store: ErasableStore, targets: Sequence[ErasureTarget]) -> list[Proof]:
    """Search for residue; there is usually none."""
    with _named(store):
        return _proofs(store, targets, [0] * len(targets), store.residue(targets))


def _proofs(
    store: ErasableStore, targets: Sequence[ErasureTarget], erased: list[int], residue: list[Residue]
) -> list[Proof]:
    """Return the proofs. Where residue was found, erase and search once more."""
    if left := [place for place, one in enumerate(residue) if one.total]:
        again = [targets[place] for place in left]
        for place, count, one in zip(left, store.erase(again), store.residue(again), strict=True):
            erased[place], residue[place] = count, one
    return [Proof(store=store.name, erased=count, residue=one) for count, one in zip(erased, residue, strict=True)]


@contextmanager
def _named(store: ErasableStore) -> Iterator[None]:
    """Report the store by its own name: an error of mem0 may come from Milvus below it."""
    try:
        yield
    except StoreUnavailable:
        raise StoreUnavailable(store.name) from None
