"""From the SIGKILL of a worker to the next claim of what it held, with the leases of production."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

from tests.bench.installation import READY_SECONDS, Installation
from tests.bench.measuring import percentile, say, significant, spread, wait_until
from tests.bench.waking import Notes, queue

KILLS = 6
ROWS = 20
HELD_SECONDS = 120


def measure(installation: Installation, directory: Path, *, quick: bool) -> dict[str, Any]:
    """Kill the worker at random moments of its heartbeat; the launcher starts another, as in `make run`."""
    chance = random.Random(2)
    waits: list[float] = []
    for kill in range(1 if quick else KILLS):
        wait_until(lambda: installation.pid("worker"), seconds=READY_SECONDS, what="a worker", poll=0.1)
        notes = Notes(directory)
        with installation.database() as database:
            queue(database, [notes.payload(number, hold=HELD_SECONDS) for number in range(ROWS)])
        notes.wait_for(ROWS, seconds=30)
        time.sleep(chance.uniform(0.0, 5.0))
        victim = installation.pid("worker")
        killed = time.monotonic_ns()
        os.kill(victim, signal.SIGKILL)
        again = [line for line in notes.wait_for(2 * ROWS, seconds=60) if line[1] > 1]
        found = [(claimed - killed) / 1e9 for _, _, _, claimed in again]
        waits += found
        say(f"resume, kill {kill + 1}: {min(found):.1f} … {max(found):.1f} s for {len(found)} rows")
    return {
        "resume_p99_s": significant(percentile(waits, 0.99)),
        "resume_s": spread(waits),
        "resume_samples": len(waits),
    }
