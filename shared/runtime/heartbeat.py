"""Heartbeat of long work: every few seconds it extends a lease or deadline, and checks whether to continue."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 2.0
"""Interval between beats; much shorter than the time after which silent work is given up."""


class Heartbeat:
    """Called by the work as often as it likes; at intervals it extends the work's lease or intent.

    The work itself beats, between two steps. A separate thread would keep beating for work that hangs.

    Args:
        keep: extends the lease; raises if the work is no longer wanted, or not from us. After an exception the next
            call beats again.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, keep: Callable[[], None], *, now: Callable[[], float] = time.monotonic) -> None:
        self._keep = keep
        self._now = now
        self._due_at = now() + SECONDS

    @property
    def is_due(self) -> bool:
        """Whether the next call will beat; for callers that must not block now."""
        return self._now() >= self._due_at

    def __call__(self) -> None:
        """Call `keep` if it is due; raises what `keep` raises."""
        if self.is_due:
            self._keep()
            self._due_at = self._now() + SECONDS
