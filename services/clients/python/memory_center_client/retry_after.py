"""What a refusal says about when to ask again."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_of(asked_for: str | None) -> float | None:
    """Return the seconds a `Retry-After` asks to wait (RFC 9110, 10.2.3: a number, or a date); None if it says none."""
    if asked_for is None:
        return None
    if asked_for.isascii() and asked_for.isdecimal():
        return float(asked_for)
    try:
        at = parsedate_to_datetime(asked_for)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
