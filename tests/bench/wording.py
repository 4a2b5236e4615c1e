"""What the people of the benchmark said, and how mem0 keeps it; imports nothing, because stock mem0 needs it too."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

SPOKEN_AT = datetime(2026, 1, 1, tzinfo=UTC)


def text_of(number: int, user_id: str) -> str:
    """Return a sentence as long as a remembered one, different for every number."""
    return f"{user_id} likes the {number}th harbour in the rain and keeps a note of it for the next journey."


def mem0_payload(text: str, user_id: str) -> dict[str, Any]:
    """Return the metadata mem0 writes with a memory."""
    return {
        "user_id": user_id,
        "data": text,
        "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "created_at": SPOKEN_AT.isoformat(),
        "updated_at": SPOKEN_AT.isoformat(),
        "text_lemmatized": text.lower(),
    }
