"""Input limits, enforced by the API and by imports (X-09). Lengths are in characters."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

MESSAGE_MAX: Final = 32_000
MEMORY_MAX: Final = 2_000
"""For memories written manually; a learned memory is at most as long as its source message."""

SHORT_MAX: Final = 200
"""Titles, task hints and external ids."""
NAME_MAX: Final = 100
COMMENT_MAX: Final = 4_000
RATING_MIN: Final = -5
RATING_MAX: Final = 5
METADATA_MAX: Final = 2_000
"""Bytes of a memory's metadata as JSON."""
METADATA_KEY: Final = r"[A-Za-z_][\w.\-]{0,63}"
IMPORTANCE_MIN: Final = 1
IMPORTANCE_MAX: Final = 10

PROJECT_ID: Final = r"^[\w.:\-]+$"
PROJECT_ID_MAX: Final = 100
CONTENT_TYPE: Final = r"^[a-z_]{1,40}$"

EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
BEFORE: Final = datetime(3000, 1, 1, tzinfo=UTC)
"""Exclusive. Margins to the ends of Python's calendar, where a time cannot be converted to another time zone."""
