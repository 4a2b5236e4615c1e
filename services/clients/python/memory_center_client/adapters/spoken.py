"""Messages of frameworks as messages of a conversation: what adapters of histories share."""

from __future__ import annotations

import json
from typing import Any, Final

from memory_center_client.batches import MESSAGE_MAX

_CUT: Final = " … [cut]"


def item(kind: str, found: Any) -> dict[str, Any]:
    """Return what is no text of somebody as a message that is kept and not learned from.

    Args:
        kind: by which `item_in` knows it again.

    Raises:
        ValueError: it is too long even with its texts cut.
    """
    longest = MESSAGE_MAX
    content = json.dumps(found, ensure_ascii=False)
    while len(content) > MESSAGE_MAX and longest:
        longest //= 2
        content = json.dumps(_cut(found, longest), ensure_ascii=False)
    if len(content) > MESSAGE_MAX:
        raise ValueError("an item has too many parts to be kept")
    return {"role": "tool", "name": kind, "content": content, "remember": False}


def item_in(kind: str, message: Any) -> Any | None:
    """Return what `item` kept; None if the message is a text."""
    return json.loads(message["content"]) if message["role"] == "tool" and message["name"] == kind else None


def _cut(found: Any, longest: int) -> Any:
    if isinstance(found, str):
        return found if len(found) <= longest else found[:longest] + _CUT
    if isinstance(found, dict):
        return {name: _cut(one, longest) for name, one in found.items()}
    return [_cut(one, longest) for one in found] if isinstance(found, list) else found
