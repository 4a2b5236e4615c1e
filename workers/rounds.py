"""Recurring parts of a round: each fails on its own, and each may have its own interval, which all schedulers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

import structlog

from shared.kernel import rounds
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable, SubjectBusy
from shared.kernel.locks import CollectionBusy
from shared.runtime import logging
from shared.stores.port import StoreMisconfigured, StoreUnavailable

log = structlog.get_logger()

ROUND_SECONDS: Final = 20.0
START_SECONDS: Final = 60.0
HOLD_SECONDS: Final = 300.0
"""After a scheduler died while it ran a part, others wait so long."""
WAITS: Final = (DatabaseUnavailable, SubjectBusy, CollectionBusy, StoreUnavailable, StoreMisconfigured)
"""Expected errors; any other is a bug."""

Part: TypeAlias = Callable[[], int | None]
"""A part of a round; may return how many items it processed."""


class Every:
    """A part that one of all schedulers runs at an interval, and after a failure in the next round.

    The first call of a process counts it as due if it was not run within `START_SECONDS`: who starts again after a
    crash wants everything looked at, and who starts again and again does not.

    Args:
        database: remembers when it was run last.
        part: its name there.
        seconds: the interval between successful runs.
    """

    def __init__(self, database: Database, part: str, seconds: float, work: Part) -> None:
        self._database = database
        self._part = part
        self._seconds = seconds
        self._work = work
        self._is_first = True

    def __call__(self) -> int | None:
        every = min(self._seconds, START_SECONDS) if self._is_first else self._seconds
        if not self._database.transact(lambda tx: rounds.take(tx, self._part, every=every, hold=HOLD_SECONDS)):
            self._is_first = False
            return None
        done = False
        try:
            count = self._work()
            done = True
        finally:
            self._is_first = self._is_first and not done
            with suppress(DatabaseUnavailable):
                self._database.transact(lambda tx: rounds.release(tx, self._part, done=done))
        return count


def run_round(parts: Mapping[str, Part]) -> None:
    """Run every part once. A part that fails is retried in the next round and does not stop the others."""
    for part, work in parts.items():
        try:
            if count := work():
                log.info("periodic.done", part=part, count=count)
        except WAITS as error:
            log.warning("periodic.postponed", part=part, **logging.failure(error))
        except Exception:
            log.exception("periodic.failed", part=part)  # the process continues: nothing else does this work
