"""A process may be started before what it needs: it imports, which takes seconds, and waits to be told to begin."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

START_FILE_VARIABLE: Final = "MEMORY_CENTER_START_FILE"
_POLL_SECONDS: Final = 0.02


def wait_for_start() -> None:
    """Return once the file named by `MEMORY_CENTER_START_FILE` is there; at once if none is named.

    A process calls this after its imports and before it connects to anything.
    """
    if name := os.environ.get(START_FILE_VARIABLE):
        while not Path(name).exists():
            time.sleep(_POLL_SECONDS)
