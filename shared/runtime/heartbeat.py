"""Staying alive during long work: whoever waits for it is told so every few seconds, and says whether to go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 2.0
"""From one beat to the next: a small part of the time after which work that keeps silent is given up."""


class Heartbeat:
    """Work calls it as often as it likes; now and then that keeps the work's lease or intent.

    The work itself beats, between two pieces of what it does: a thread of its own would go on beating for work that
    hangs.

    Args:
        keep: says that the work goes on; raises when it is not wanted any more, or not from us. The next call after one
            that raised is a beat again.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, keep: Callable[[], None], *, now: Callable[[], float] = time.monotonic) -> None:
        self._keep = keep
        self._now = now
        self._due_at = now() + SECONDS

    @property
    def is_due(self) -> bool:
        """Whether the next call will keep: for who must not wait for that where it is."""
        return self._now() >= self._due_at

    def __call__(self) -> None:
        """Keep, when the time for it has come; raises what that raises."""
        if self.is_due:
            self._keep()
            self._due_at = self._now() + SECONDS
