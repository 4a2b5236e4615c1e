"""Recurring parts of a round: each fails on its own, and each may have its own interval."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import structlog

from shared.kernel.database import DatabaseUnavailable, SubjectBusy
from shared.kernel.locks import CollectionBusy
from shared.runtime import logging
from shared.stores.port import StoreMisconfigured, StoreUnavailable

log = structlog.get_logger()

ROUND_SECONDS: Final = 20.0
WAITS: Final = (DatabaseUnavailable, SubjectBusy, CollectionBusy, StoreUnavailable, StoreMisconfigured)
"""Expected errors; any other is a bug."""

Part: TypeAlias = Callable[[], int | None]
"""A part of a round; may return how many items it processed."""


class Every:
    """A part that runs in the first round, then at its own interval. After a failure it runs in the next round.

    Args:
        seconds: the interval between successful runs.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, seconds: float, work: Part, *, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._work = work
        self._now = now
        self._due_at: float | None = None

    def __call__(self) -> int | None:
        if self._due_at is not None and self._now() < self._due_at:
            return None
        done = self._work()
        self._due_at = self._now() + self._seconds
        return done


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
