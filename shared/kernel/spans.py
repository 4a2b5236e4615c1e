"""Remove spans from a text and map offsets to the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Half-open character offsets."""


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, with overlapping and adjacent ones merged and empty ones dropped."""
    found: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def cut(text: str, spans: Sequence[Span]) -> str:
    """Return the text without these spans, which must be as `merged` returns them."""
    kept, last = [], 0
    for start, end in spans:
        kept.append(text[last:start])
        last = end
    return "".join((*kept, text[last:]))


def moved(place: int, spans: Sequence[Span]) -> int:
    """Return an offset after the spans are removed; an offset inside a span maps to the point of removal."""
    return place - sum(min(place, end) - start for start, end in spans if start < place)


def touches(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Return whether the range shares a character with one of the spans."""
    return any(start < last and end > first for first, last in spans)
