"""How much may be written at once: the API refuses more, and so does an import (X-09). Lengths are in characters."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

MESSAGE_MAX: Final = 32_000
MEMORY_MAX: Final = 2_000
"""A memory somebody writes by hand; what is learned is at most as long as the message that says it."""

SHORT_MAX: Final = 200
"""Titles, hints of tasks, ids that others give."""
NAME_MAX: Final = 100
COMMENT_MAX: Final = 4_000
RATING_MIN: Final = -5
RATING_MAX: Final = 5
IMPORTANCE_MIN: Final = 1
IMPORTANCE_MAX: Final = 10

PROJECT_ID: Final = r"^[\w.:\-]+$"
PROJECT_ID_MAX: Final = 100
CONTENT_TYPE: Final = r"^[a-z_]{1,40}$"

EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
BEFORE: Final = datetime(3000, 1, 1, tzinfo=UTC)
"""Near the ends of Python's calendar a time that is read back in another zone cannot be represented."""
