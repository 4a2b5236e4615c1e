"""Input of the reader: token ids, and the characters each token covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3
"""The encoder's special tokens, with their original ids."""
TURN_TOKENS: Final = 160
BEFORE_TOKENS: Final = 64
"""Tokens of earlier messages, which show what an answer refers to."""
STATEMENT_TOKENS: Final = 72


@dataclass(frozen=True, slots=True)
class Input:
    """Token ids; tokens from `start` on cover the characters `offsets` of the text to read."""

    ids: list[int]
    start: int
    offsets: list[tuple[int, int]]

    def tokens_of(self, start: int, end: int) -> list[int]:
        """Return the positions of tokens that overlap these characters."""
        return [self.start + n for n, (a, b) in enumerate(self.offsets) if a < end and b > start]


def turn_input(tokenizer: Tokenizer, text: str, *, before: Sequence[tuple[str, str]], skip: int = 0) -> Input:
    """Return the input for a message with its context: the assistant's last message and the one before it.

    The person's own messages since then are left out, so that several messages in a row are read alike in any order.

    Args:
        before: (role, text), oldest first.
        skip: tokens of the turn to skip, for long turns read in several segments.
    """
    said = len(before)
    while said and before[said - 1][0] != "assistant":
        said -= 1
    context = " / ".join(text for _, text in before[max(0, said - 2) : said])
    return _joined(tokenizer, _ids(tokenizer, context)[-BEFORE_TOKENS:], text, slice(skip, skip + TURN_TOKENS))


def pair_input(tokenizer: Tokenizer, first: str, second: str) -> Input:
    """Return the input for two texts side by side; the offsets are those of the second."""
    return _joined(tokenizer, _ids(tokenizer, first)[:STATEMENT_TOKENS], second, slice(STATEMENT_TOKENS))


def _joined(tokenizer: Tokenizer, before: list[int], text: str, part: slice) -> Input:
    read: Any = tokenizer.encode(text, add_special_tokens=False)
    ids, offsets = read.ids[part], read.offsets[part]
    return Input(ids=[BEGIN, *before, END, END, *ids, END], start=len(before) + 3, offsets=offsets)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids if text else []
    return ids
