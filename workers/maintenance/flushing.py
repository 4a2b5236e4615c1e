"""Flush Milvus Lite every 20 s: unflushed rows slow every search. A Milvus server flushes itself."""

from __future__ import annotations

import time

from shared.kernel.locks import collection_lock
from workers.process import Process
from workers.rounds import ROUND_SECONDS, run_round


def flush_forever(process: Process) -> None:
    """Flush until the process ends. Runs in the maintenance worker, which is connected to Milvus anyway."""
    from shared.stores.flushing import Flusher  # noqa: PLC0415 # pymilvus takes 100 MiB

    flusher = Flusher(process.settings.milvus_uri, lock=collection_lock(process.locks, exclusive=True))
    while True:
        time.sleep(ROUND_SECONDS)
        run_round({"flush": flusher.flush})
