"""What a reflection costs by how many observations there are: `make bench-traits`. Prints one line for each size."""

from __future__ import annotations

import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from shared.consent.rules.policy import Terms
from shared.items import register_kinds
from shared.kernel import subjects
from shared.kernel.database import Database
from shared.kernel.new_ids import new_id
from shared.runtime import logging
from shared.traits.catalogue import behaviors
from shared.traits.reflect import reflect
from shared.traits.sql import observations
from shared.traits.sql.observations import Shown, Source
from tests.support.backing import backing_servers

SIZES: Final = (100, 1_000, 10_000)
SEED: Final = 7
SESSIONS: Final = 60
"""Reflections before the one that is measured."""


def measure(database: Database, size: int) -> float:
    """Return the seconds of the last reflection of somebody with so many observations."""
    chance = random.Random(SEED)
    began = datetime.now(UTC) - timedelta(days=SESSIONS + 1)
    subject = database.transact(lambda tx: subjects.find_or_create(tx, f"of-{size}"))
    each = max(1, size // SESSIONS)
    left = size
    for day in range(SESSIONS):
        count = each if day < SESSIONS - 1 else left
        at = began + timedelta(days=day)
        shown = [
            Shown(
                id=new_id(),
                source=Source(kind="feedback", id=new_id(), conversation_id=None, at_seq=None, at=at),
                key=chance.choice(behaviors()),
                shows=chance.random() < 0.95,
                form="told",
                context="general",
            )
            for _ in range(min(count, left))
        ]
        left -= len(shown)
        if shown:
            database.transact(lambda tx, shown=shown: observations.add(tx, subject, shown))  # type: ignore[misc]
        begun = time.perf_counter()
        database.transact(
            lambda tx, at=at: reflect(  # type: ignore[misc]
                tx, subject.id, trigger="daily", terms=Terms(), now=at + timedelta(hours=1)
            )
        )
        seconds = time.perf_counter() - begun
    return seconds


def main() -> None:
    register_kinds()
    logging.configure("error", "bench")
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-traits-", ignore_cleanup_errors=True) as folder,
        backing_servers(Path(folder)) as servers,
        servers.cloned_database() as url,
    ):
        database = Database(url, application="bench", transaction_seconds=None)
        for size in SIZES:
            print(f"{size:>6} observations, {SESSIONS} reflections before: {measure(database, size):.2f} s", flush=True)
        database.close()


if __name__ == "__main__":
    main()
