"""Where a text says something, found once for all its clauses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from shared.domain.cuts import Span


class Places:
    """Spans of a text; whether a stretch has one of them costs a search by halves, however many there are."""

    __slots__ = ("_first_end", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._first_end = [end for _, end in ordered]
        """Of each span and all after it the least end."""
        for place in range(len(ordered) - 2, -1, -1):
            self._first_end[place] = min(self._first_end[place], self._first_end[place + 1])

    def begin_in(self, start: int, end: int) -> bool:
        """Return whether one of them begins in a stretch."""
        place = bisect_left(self._starts, start)
        return place < len(self._starts) and self._starts[place] < end

    def lie_in(self, start: int, end: int) -> bool:
        """Return whether all of one of them lies in a stretch."""
        place = bisect_left(self._starts, start)
        return place < len(self._starts) and self._first_end[place] <= end


def found_in(text: str, part: str) -> Iterable[Span]:
    """Yield where a text has a part, from left to right, none of them overlapping."""
    place = text.find(part) if part else -1
    while place >= 0:
        yield place, place + len(part)
        place = text.find(part, place + len(part))
