"""Store access for maintenance: open by name, scan, and erase keys with proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from shared.erasure.verify import ResidueLeft
from shared.ledger.sql import entries as ledger
from shared.outbox.sql.leasing import Lease
from shared.runtime import telemetry
from shared.stores.breaker import guarded
from shared.stores.mem0 import Mem0Store
from shared.stores.milvus import EpisodeStore
from shared.stores.milvus_client import connect
from shared.stores.port import ErasableStore, ErasureTarget
from shared.stores.scanning import Scanner
from workers.leases import Postponed
from workers.process import process

SCAN_CALL_SECONDS: Final = 30.0
"""Timeout for one page of a scan: Milvus Lite reads the whole collection for each page."""

REPLAY_WAIT_SECONDS: Final = 30.0


def store_of(lease: Lease) -> str:
    """Return the store of a row: from its payload (cleanups), or from the end of its kind."""
    return str(lease.payload.get("store") or lease.kind.rpartition(".")[2])


def opened(name: str) -> EpisodeStore | Mem0Store:
    """Open and return `milvus` or `mem0`."""
    return process().mem0 if name == "mem0" else process().episodes


@contextmanager
def scanner() -> Iterator[Scanner]:
    """Open a scanner of whole stores."""
    settings = process().settings
    milvus = connect(settings.milvus_uri, token=settings.milvus_token.get_secret_value(), timeout=SCAN_CALL_SECONDS)
    try:
        yield Scanner(guarded(milvus, process().breaker))
    finally:
        milvus.close()


def targets_of(keys: Mapping[UUID, Sequence[UUID]]) -> list[ErasureTarget]:
    """Return keys (namespace → keys) as erasure targets."""
    return [ErasureTarget(namespace=namespace, keys=tuple(of_it)) for namespace, of_it in keys.items()]


def erase_and_prove(store: ErasableStore, keys: Mapping[UUID, Sequence[UUID]]) -> None:
    """Delete keys (namespace → keys) and search for them.

    Raises:
        ResidueLeft: the search still found some.
    """
    if not keys:
        return
    targets = targets_of(keys)
    store.erase(targets)
    residues = store.residue(targets)
    if any(residue.total for residue in residues):
        found = {part: sum(one.found.get(part, 0) for one in residues) for part in residues[0].found}
        raise ResidueLeft(store.name, found)


def refuse_restored() -> None:
    """Refuse to change anything while the database is a restored backup: missing rows may have been forgotten since.

    Raises:
        Postponed: until the ledger was replayed.
    """
    if process().database.transact(lambda tx: ledger.is_restored(tx, process().ledger_book)):
        raise Postponed("replay_needed", REPLAY_WAIT_SECONDS)


def count(store: str, direction: str, **results: int) -> None:
    """Count differences in the metrics, by result."""
    for result, number in results.items():
        telemetry.ORPHANS.labels(store=store, direction=direction, result=result).inc(number)
