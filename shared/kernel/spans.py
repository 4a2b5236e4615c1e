"""Taking parts out of a text, and where the rest is afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Half-open character offsets."""


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the same characters as spans in order that do not touch."""
    found: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def cut(text: str, spans: Sequence[Span]) -> str:
    """Return a text without these spans, which are in order and do not touch."""
    kept, last = [], 0
    for start, end in spans:
        kept.append(text[last:start])
        last = end
    return "".join((*kept, text[last:]))


def moved(place: int, spans: Sequence[Span]) -> int:
    """Return where an offset is once the spans are out; inside one, where it was."""
    return place - sum(min(place, end) - start for start, end in spans if start < place)


def touches(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Return whether a piece shares a character with one of the spans."""
    return any(start < last and end > first for first, last in spans)
