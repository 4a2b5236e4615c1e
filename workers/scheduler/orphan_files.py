"""Unannounced files: left by a paused writer, or by exports that a restored backup does not know."""

from __future__ import annotations

from itertools import islice
from typing import Final
from uuid import UUID

from shared.erasure.sql import reconciling
from shared.kernel.database import Database
from shared.runtime import telemetry
from shared.stores.files import STORE, translated_errors
from shared.stores.port import ErasableStore, ErasureTarget
from shared.stores.sealed.files import SealedFiles

AT_ONCE: Final = 500


def remove_orphan_files(database: Database, packages: SealedFiles, store: ErasableStore) -> int:
    """Delete package files that were never announced; return how many.

    Args:
        packages: lists the package files.
        store: erases them.

    Raises:
        StoreUnavailable, StoreMisconfigured: as the store's methods.
    """
    with translated_errors():
        held = iter(list(packages.keys()))
    removed = 0
    while found := {key: namespace for namespace, key in islice(held, AT_ONCE)}:
        removed += _remove(database, store, found)
    if removed:
        telemetry.ORPHANS.labels(store=STORE, direction="orphan", result="removed").inc(removed)
    return removed


def _remove(database: Database, store: ErasableStore, found: dict[UUID, UUID]) -> int:
    orphans = database.transact(lambda tx: reconciling.unannounced(tx, list(found)))
    store.erase([ErasureTarget(namespace=found[key], keys=(key,)) for key in sorted(orphans)])
    return len(orphans)
