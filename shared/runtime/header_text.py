"""Text in HTTP headers."""

from __future__ import annotations


def as_utf8(header: str) -> str:
    """Return a header as clients that send UTF-8 meant it; servers read Latin 1, and other bytes stay so."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
