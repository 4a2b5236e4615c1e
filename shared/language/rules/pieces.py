"""Disjoint spans of a text, looked up by position."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

Piece = tuple[int, int]
"""A half-open span of characters."""


class Pieces:
    """Disjoint spans; a lookup takes logarithmic time."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self._pieces = sorted(pieces)

    def add(self, piece: Piece) -> None:
        """Add a span that overlaps no other."""
        self._pieces.insert(bisect_left(self._pieces, piece), piece)

    def met(self, piece: Piece) -> range:
        """Return the indexes of the spans that overlap `piece`, in order."""
        end = bisect_left(self._pieces, (piece[1],))
        start = end
        while start > 0 and self._pieces[start - 1][1] > piece[0]:
            start -= 1
        return range(start, end)
