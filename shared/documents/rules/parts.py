"""Divides the text of a document into parts, at headings and between sentences (TR-12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

TOKENS_MAX: Final = 340
"""Of a part, so that all of it can be found: the embedder reads 512 of its own tokens, which are shorter."""
TOKENS_MIN: Final = 60
"""A heading begins a new part only after so much; a list of short sections is not scattered."""

_HEADING: Final = re.compile(
    r"#{1,6}\s|(?:chapter|section|part)\s+\w+|第[一二三四五六七八九十百零\d]+[章节部分篇]|\d+(?:\.\d+)*\.?\s+\S",
    re.IGNORECASE,
)
_BLOCKS: Final = re.compile(r"\n\s*\n|\n(?=#{1,6}\s)")
"""What separates blocks: an empty line, or the beginning of a heading of Markdown."""
_HEADING_MAX: Final = 100
_LONG: Final = 20 * TOKENS_MAX
"""Characters that are more than a part, whatever they are."""
_BETWEEN: Final = ("\n", r"(?<=[.!?。！？])\s*", r"(?<=[,;，；、])\s*|\s+")
"""Where a block that is too long is divided: between lines, sentences, clauses and words."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document; the page counts from 1, and is None where there are none."""

    text: str
    page: int | None


def divide(pages: Sequence[str], *, paged: bool, measure: Callable[[str], int]) -> list[Part]:
    """Return the parts of a text in its order, each within one page.

    Args:
        paged: whether the pages are pages of a document, and not its whole text.
        measure: counts the tokens of a text.
    """
    return [
        Part(text=text, page=number if paged else None)
        for number, page in enumerate(pages, 1)
        for text in _packed(page, measure)
    ]


def _packed(page: str, measure: Callable[[str], int]) -> Iterator[str]:
    """Yield blocks of a page, put together while they fit."""
    held: list[str] = []
    tokens = 0
    for block in _BLOCKS.split(page.strip()):
        text = block.strip()
        if not text:
            continue
        size = _size(text, measure)
        if held and (tokens + 1 + size > TOKENS_MAX or (_is_heading(text) and tokens >= TOKENS_MIN)):
            heading = held.pop() if _is_only_heading(held[-1]) else ""  # goes with what follows it
            if held:
                yield "\n\n".join(held)
            held, tokens = [], 0
            if heading:
                text = f"{heading}\n\n{text}"
                size = _size(text, measure)
        if size > TOKENS_MAX:
            yield from _divided(text, measure, _BETWEEN)
        else:
            tokens += size + bool(held)  # what joins them is a token
            held.append(text)
    if held:
        yield "\n\n".join(held)


def _size(text: str, measure: Callable[[str], int]) -> int:
    """Return the tokens of a text; of what is too long at any rate only that it is."""
    return measure(text) if len(text) <= _LONG else TOKENS_MAX + 1


def _is_heading(block: str) -> bool:
    first = block.split("\n", 1)[0]
    return len(first) <= _HEADING_MAX and _HEADING.match(first) is not None


def _is_only_heading(block: str) -> bool:
    return "\n" not in block and _is_heading(block)


def _divided(text: str, measure: Callable[[str], int], between: Sequence[str]) -> Iterator[str]:
    """Yield pieces of a block that is too long, as long as they may be."""
    if not between:  # one endless word: a token has a character or more, but a rare character several tokens
        yield from _halved(text, measure)
        return
    held, tokens, start = "", 0, 0
    cuts = [found.end() for found in re.finditer(between[0], text) if found.end() > 0]
    for end in [*cuts, len(text)]:
        piece = text[start:end]
        start = end
        if not piece.strip():
            continue
        size = _size(piece, measure)
        if held and tokens + size > TOKENS_MAX:
            if size > TOKENS_MAX and _is_only_heading(held.strip()):
                piece = held + piece
            else:
                yield held.strip()
            held, tokens = "", 0
        if size > TOKENS_MAX:
            yield from _divided(piece.strip(), measure, between[1:])
        else:
            held += piece
            tokens += size
    if held.strip():
        yield held.strip()


def _halved(text: str, measure: Callable[[str], int]) -> Iterator[str]:
    for at in range(0, len(text), TOKENS_MAX):
        piece = text[at : at + TOKENS_MAX]
        if measure(piece) <= TOKENS_MAX:
            yield piece
        else:
            middle = len(piece) // 2
            yield from _halved(piece[:middle], measure)
            yield from _halved(piece[middle:], measure)
