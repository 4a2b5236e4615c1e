"""Messages of frameworks as messages of a conversation: what adapters of histories share."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from memory_center_client.batches import MESSAGE_MAX

PIECES_MAX: Final = 100
"""Most messages an item is kept in."""
_NAME: Final = re.compile(r"(?P<kind>.*?)(?: (?P<number>\d{1,3})/(?P<count>\d{1,3}))?")


def pieces(kind: str, found: Any) -> list[dict[str, Any]]:
    """Return an item that is not a person's text, such as a tool call, as messages that nothing is learned from.

    A long item becomes several messages.

    Args:
        kind: by which `Joined` knows it again.

    Raises:
        ValueError: it is too long.
    """
    content = json.dumps(found, ensure_ascii=False)
    parts = [content[start : start + MESSAGE_MAX] for start in range(0, len(content), MESSAGE_MAX)]
    if len(parts) > PIECES_MAX:
        raise ValueError(f"an item of {len(content)} characters is too long to be kept")
    names = [kind] if len(parts) == 1 else [f"{kind} {number}/{len(parts)}" for number in range(1, len(parts) + 1)]
    return [
        {"role": "tool", "name": name, "content": part, "remember": False}
        for name, part in zip(names, parts, strict=True)
    ]


class Joined:
    """Puts items together again from messages, the newest first."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._later: list[str] = []
        self._wanted = 0  # the number of the piece before those that are here

    def whole(self, message: Any) -> tuple[Any | None, Any | None]:
        """Return (item, None) with the first piece of an item, (None, message) for a text, or (None, None) in between.

        An item that lost a piece is left out.
        """
        named = _NAME.fullmatch(message["name"] or "")
        if message["role"] != "tool" or named is None or named["kind"] != self._kind:
            self._wanted = 0
            return None, message
        number, count = int(named["number"] or 1), int(named["count"] or 1)
        if number == count:
            self._later, self._wanted = [], number
        if number != self._wanted:
            self._wanted = 0
            return None, None
        self._later.append(message["content"])
        self._wanted -= 1
        return (json.loads("".join(reversed(self._later))), None) if number == 1 else (None, None)
