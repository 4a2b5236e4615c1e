"""Parse a selection from a numbered list."""

from __future__ import annotations

import re
from typing import Final

_SPLIT: Final = re.compile(r"[\s,，、;；]+")
_RANGE: Final = re.compile(r"(\d{1,6})(?:[-–~～](\d{1,6}))?", re.ASCII)


def chosen(answer: str, count: int) -> list[int]:
    """Return the positions, from 1 to `count`, an answer such as `1 3-5` selects; none if any part is invalid."""
    places: set[int] = set()
    for word in filter(None, _SPLIT.split(answer.strip())):
        found = _RANGE.fullmatch(word)
        if found is None:
            return []
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= count:
            return []
        places.update(range(first, last + 1))
    return sorted(places)
