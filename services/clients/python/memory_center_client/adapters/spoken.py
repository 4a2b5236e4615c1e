"""Messages of frameworks as messages of a conversation: what adapters of histories share."""

from __future__ import annotations

import json
from typing import Any, Final

from memory_center_client.batches import MESSAGE_MAX

PIECES_MAX: Final = 100
"""Most messages an item is kept in."""


def pieces(kind: str, found: Any) -> list[dict[str, Any]]:
    """Return what is no text of somebody as messages that are kept and not learned from; one, unless it is long.

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
        """Return (item, message): an item that is whole with this message, or a message that is a text, or neither.

        Of an item that is not all there any more nothing is returned.
        """
        kind, _, place = (message["name"] or "").partition(" ")
        if message["role"] != "tool" or kind != self._kind:
            self._wanted = 0
            return None, message
        number, count = map(int, (place or "1/1").split("/"))
        if number == count:
            self._later, self._wanted = [], number
        if number != self._wanted:
            self._wanted = 0
            return None, None
        self._later.append(message["content"])
        self._wanted -= 1
        return (json.loads("".join(reversed(self._later))), None) if number == 1 else (None, None)
