"""Signals that this process is ready."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from shared.runtime import logging

READY_FILE_VARIABLE: Final = "MEMORY_CENTER_READY_FILE"


def announce_ready() -> None:
    """Touch the file named by `MEMORY_CENTER_READY_FILE`, if it is set. Safe to repeat.

    Raises:
        OSError: the file cannot be created.
    """
    # All imports are done, including libraries that install log handlers.
    logging.take_over_library_loggers()
    if name := os.environ.get(READY_FILE_VARIABLE):
        Path(name).touch()
