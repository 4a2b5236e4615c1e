"""Pieces of a text that do not overlap, looked up by place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

Piece = tuple[int, int]
"""A half-open span of characters."""


class Pieces:
    """Disjoint pieces; a look costs the logarithm of how many there are."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self._pieces = sorted(pieces)

    def add(self, piece: Piece) -> None:
        """Add a piece that overlaps none that is there."""
        self._pieces.insert(bisect_left(self._pieces, piece), piece)

    def met(self, piece: Piece) -> range:
        """Return the places of the pieces that share characters with `piece`, in order."""
        end = bisect_left(self._pieces, (piece[1],))
        start = end
        while start > 0 and self._pieces[start - 1][1] > piece[0]:
            start -= 1
        return range(start, end)
