"""Parts that are done over and over: each fails on its own, and each may have its own time."""

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
"""Errors that say what is in the way; any other is a defect."""

Part: TypeAlias = Callable[[], int | None]
"""A part of a round; returns how many things it did, if it counts them."""


class Every:
    """A part that belongs to the first round, and to another one when its time has come; one that failed to the next.

    Args:
        seconds: from one time it was done to the next.
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
    """Do every part once. A part that fails is done in the next round, and stops no other part."""
    for part, work in parts.items():
        try:
            if count := work():
                log.info("periodic.done", part=part, count=count)
        except WAITS as error:
            log.warning("periodic.postponed", part=part, **logging.failure(error))
        except Exception:
            log.exception("periodic.failed", part=part)  # the process goes on: nobody else does this
