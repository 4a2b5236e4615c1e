"""Numbers from samples, waiting, and saying how far the run is."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence

POLL_SECONDS = 0.002


def say(line: str) -> None:
    """Tell whoever watches how far the run is; the results are the only thing on standard output."""
    print(f"[{time.strftime('%H:%M:%S')}] {line}", file=sys.stderr, flush=True)


def percentile(samples: Sequence[float], share: float) -> float:
    """Return the smallest sample that at least `share` (0…1) of the samples do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def spread(samples: Sequence[float]) -> dict[str, float]:
    """Return p50 and p99, rounded for people."""
    return {"p50": significant(percentile(samples, 0.5)), "p99": significant(percentile(samples, 0.99))}


def median(samples: Sequence[float]) -> float:
    """Return the middle sample, of an even number the mean of the two."""
    ordered = sorted(samples)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def significant(value: float, digits: int = 4) -> float:
    """Return a number with no more digits than a measurement carries."""
    return float(f"{value:.{digits}g}")


def wait_until(condition: Callable[[], object], *, seconds: float, what: str, poll: float = POLL_SECONDS) -> None:
    """Poll until the condition is truthy.

    Raises:
        TimeoutError: it was not within `seconds`; names `what`.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(poll)
