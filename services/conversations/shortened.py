"""Excerpts of messages, short enough for a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

OPENING_MAX: Final = 60
QUOTE_MAX: Final = 120
NEAR_MAX: Final = 1_000
_BEFORE: Final = 30
"""Characters of a quote before the found word."""

_SENTENCE_ENDS: Final = re.compile(r"[。！？!?…]|\.(?=\s|$)|\n")


def beginning(text: str) -> str | None:
    """Return the first sentence of a text, cut to the length of a list entry; None if it contains no words."""
    said = " ".join(text.split("\n", 1)[0].split()) or " ".join(text.split())
    end = _SENTENCE_ENDS.search(said)
    return _cut(said[: end.start()] if end and end.start() > 0 else said, OPENING_MAX) or None


def near(text: str, words: Sequence[str]) -> str:
    """Return the part of a long text that `around` needs, with enough context to detect any secret in it."""
    start = max(_first(text, words) - NEAR_MAX, 0)
    return text[start : start + 2 * NEAR_MAX]


def around(text: str, words: Sequence[str]) -> str:
    """Return the text around the first of `words` it contains, on one line."""
    said = " ".join(text.split())
    start = max(_first(said, words) - _BEFORE, 0)
    if start > 0:  # begin at a word boundary if there is one; Chinese has none
        gap = said.find(" ", start, start + _BEFORE)
        start = gap + 1 if gap >= 0 else start
    return ("…" if start > 0 else "") + _cut(said[start:], QUOTE_MAX)


def _first(text: str, words: Sequence[str]) -> int:
    lowered = text.lower()
    return min((at for word in words if (at := lowered.find(word.lower())) >= 0), default=0)


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text.strip()
    kept = text[:longest]
    gap = kept.rfind(" ")
    return (kept[:gap] if gap > longest // 2 else kept).rstrip(" ,;:，；：、") + "…"
