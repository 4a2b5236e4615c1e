"""How long failed work waits before it is tried again."""

from __future__ import annotations

import random
from typing import Final

RETRY_BASE_SECONDS: Final = 0.2
RETRY_CAP_SECONDS: Final = 30.0
FAILED_RETRY_SECONDS: Final = 3600.0


def full_jitter(attempt: int, *, random_: random.Random) -> float:
    """Return the delay in seconds before the next attempt.

    Full jitter: uniform in 0…min(cap, base·2^attempt) (Brooker, "Exponential Backoff and Jitter", 2015).
    """
    return random_.uniform(0, min(RETRY_CAP_SECONDS, RETRY_BASE_SECONDS * 2 ** min(attempt, 16)))
