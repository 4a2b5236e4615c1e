"""Citations of items in a text, in the form the prompt asks for: `Memory#id`, or `Document#id` with a page."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from uuid import UUID

_CITATION: Final = re.compile(r"(?:Memory|Document)#([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")


def citation(of: UUID) -> str:
    """Return the citation of an item."""
    return f"[Memory#{of}]"


def cited(text: str, given: Collection[UUID]) -> list[UUID]:
    """Return the given items that a text cites, in order of first mention."""
    named = [UUID(found) for found in _CITATION.findall(text)]
    return [id_ for id_ in dict.fromkeys(named) if id_ in given]
