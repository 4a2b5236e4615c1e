"""Files nobody announced: left by a writer that was paused, or of exports a restored backup does not know."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final
from uuid import UUID

from shared.packages.sealed_files import SealedFiles
from shared.persistence import reconciling
from shared.persistence.database import Database
from shared.runtime import telemetry
from shared.stores.files import STORE, FileStore
from shared.stores.port import ErasureTarget, StoreUnavailable

AT_ONCE: Final = 500


def remove_orphan_files(database: Database, folder: Path) -> int:
    """Delete what lies among the packages and was never announced; return how many files that were.

    Raises:
        StoreUnavailable: the folder cannot be read.
    """
    try:
        held = iter(list(SealedFiles(folder).keys()))
    except OSError:
        raise StoreUnavailable(STORE) from None
    removed = 0
    while found := {key: namespace for namespace, key in islice(held, AT_ONCE)}:
        removed += _remove(database, FileStore(folder), found)
    if removed:
        telemetry.ORPHANS.labels(store=STORE, direction="orphan", result="removed").inc(removed)
    return removed


def _remove(database: Database, store: FileStore, found: dict[UUID, UUID]) -> int:
    orphans = database.transact(lambda tx: reconciling.unannounced(tx, list(found)))
    store.erase([ErasureTarget(namespace=found[key], keys=(key,)) for key in sorted(orphans)])
    return len(orphans)
