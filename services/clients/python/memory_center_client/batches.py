"""How many messages one request takes, and how long they may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

MESSAGES_MAX: Final = 100
"""Messages of one request."""
MESSAGE_MAX: Final = 32_000


def batches(messages: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield messages as requests take them; a text that is too long becomes several messages."""
    parts = [
        {**one, "content": one["content"][start : start + MESSAGE_MAX]}
        for one in messages
        for start in range(0, len(one["content"]), MESSAGE_MAX)
    ]
    for start in range(0, len(parts), MESSAGES_MAX):
        yield parts[start : start + MESSAGES_MAX]
