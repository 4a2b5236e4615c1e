"""Which items a text cites, as the prompt asks for it: `Memory#id`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from uuid import UUID

_CITATION: Final = re.compile(r"Memory#([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")


def citation(of: UUID) -> str:
    """Return how an item is cited."""
    return f"[Memory#{of}]"


def cited(text: str, given: Collection[UUID]) -> list[UUID]:
    """Return which of the items that were given a text cites, in the order of their first mention."""
    named = [UUID(found) for found in _CITATION.findall(text)]
    return [id_ for id_ in dict.fromkeys(named) if id_ in given]
