"""Long messages are read in parts, a request each, so that nobody's long message keeps others waiting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from shared.language.port import Sensitive, Span, Turn

PART_MAX: Final = 1_500
"""Most characters of a message in one request: reading so many takes a fraction of a second."""
SEGMENTS_MAX: Final = 40
"""Most segments read of one message: 6,400 tokens."""
AGAIN_MAX: Final = 12
"""Sentences of one message that are read once more on their own: each costs as much as a short message."""
_SENTENCE_END: Final = re.compile(r"[.!?]\s+|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of a message may still be read."""

    segments: int = SEGMENTS_MAX
    again: int = AGAIN_MAX


ReadPart: TypeAlias = Callable[[str, Sequence[tuple[str, str]], Budget], tuple[Turn, Budget]]
"""Reads a part of a message with what was said before; returns what is left of the budget."""


def by_parts(read: ReadPart, text: str, before: Sequence[tuple[str, str]]) -> Turn:
    """Read a message part by part until the budget is spent."""
    left = Budget()
    kept: list[Span] = []
    sensitive: list[Sensitive] = []
    for start, end in parts(text):
        if left.segments <= 0:
            break
        turn, left = read(text[start:end], before, left)
        kept += (_moved(one, start) for one in turn.kept)
        sensitive += (_moved(one, start) for one in turn.sensitive)
    return Turn(tuple(kept), tuple(sensitive))


def parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text; they end with a sentence where one ends in their second half."""
    start = 0
    while start < len(text):
        end = min(start + PART_MAX, len(text))
        if end < len(text):
            for found in _SENTENCE_END.finditer(text, start + PART_MAX // 2, end):
                end = found.end()
        yield start, end
        start = end


def _moved(one: Any, by: int) -> Any:
    return replace(one, start=one.start + by, end=one.end + by)
