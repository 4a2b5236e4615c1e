"""Tells whoever started this process that it is ready to work."""

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
    # Everything is imported by now, including libraries that install log handlers of their own.
    logging.take_over_library_loggers()
    if name := os.environ.get(READY_FILE_VARIABLE):
        Path(name).touch()
