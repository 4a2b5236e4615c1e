"""Lets a process be started early: it does its slow imports and waits for a signal to begin."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

START_FILE_VARIABLE: Final = "MEMORY_CENTER_START_FILE"
_POLL_SECONDS: Final = 0.02


def wait_for_start() -> None:
    """Return once the file named by `MEMORY_CENTER_START_FILE` exists; at once if the variable is not set.

    Call this after the imports and before connecting to anything.
    """
    if name := os.environ.get(START_FILE_VARIABLE):
        while not Path(name).exists():
            time.sleep(_POLL_SECONDS)
