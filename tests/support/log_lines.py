"""What a process would write to its log, with the real configuration."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from shared.runtime import logging as content_free


class LogLines:
    """The lines written so far."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def last(self) -> dict[str, Any]:
        return self.all[-1]


@contextmanager
def captured_log() -> Iterator[LogLines]:
    """Configure this process's logging as in production, give its lines, and put everything back."""
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook, sys.unraisablehook)
    handlers, level, before = root.handlers, root.level, structlog.get_config()
    written = LogLines()
    content_free.configure("debug", "test", stream=written.stream)
    try:
        yield written
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        root.handlers = handlers
        root.setLevel(level)
        logging.captureWarnings(capture=False)
        logging.getLogger("uvicorn.access").disabled = False
        content_free._configured.clear()
        structlog.contextvars.clear_contextvars()
        structlog.configure(**before)
