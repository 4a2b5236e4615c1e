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
_CHARACTERS_A_TOKEN: Final = 24
"""No text has longer tokens on average; what lies behind so many characters is not split into tokens only to be cut."""


@dataclass(frozen=True, slots=True)
class Input:
    """Token ids; tokens from `start` on cover the characters `offsets` of the text to read."""

    ids: list[int]
    start: int
    offsets: list[tuple[int, int]]

    def tokens_of(self, start: int, end: int) -> list[int]:
        """Return the positions of tokens that overlap these characters."""
        return [self.start + n for n, (a, b) in enumerate(self.offsets) if a < end and b > start]


def turn_inputs(
    tokenizer: Tokenizer, text: str, *, before: Sequence[tuple[str, str]], most: int | None = None
) -> list[Input]:
    """Return the inputs for the segments of a message, each with the assistant's last message and the one before it.

    The person's own messages since then are left out, so that several messages in a row are read alike in any order.

    Args:
        before: (role, text), oldest first.
        most: segments; what follows is not read.
    """
    context = _context(tokenizer, before)
    read: Any = tokenizer.encode(text, add_special_tokens=False)
    end = len(read.ids) if most is None else min(len(read.ids), most * TURN_TOKENS)
    starts = range(0, end, TURN_TOKENS)
    return [_beside(context, read, slice(start, start + TURN_TOKENS)) for start in starts]


def _context(tokenizer: Tokenizer, before: Sequence[tuple[str, str]]) -> list[int]:
    said = len(before)
    while said and before[said - 1][0] != "assistant":
        said -= 1
    context = " / ".join(text for _, text in before[max(0, said - 2) : said])
    return _ids(tokenizer, context[-BEFORE_TOKENS * _CHARACTERS_A_TOKEN :])[-BEFORE_TOKENS:]


def pair_input(tokenizer: Tokenizer, first: str, second: str) -> Input:
    """Return the input for two texts side by side; the offsets are those of the second."""
    most = STATEMENT_TOKENS * _CHARACTERS_A_TOKEN
    read: Any = tokenizer.encode(second[:most], add_special_tokens=False)
    return _beside(_ids(tokenizer, first[:most])[:STATEMENT_TOKENS], read, slice(STATEMENT_TOKENS))


def _beside(before: list[int], read: Any, part: slice) -> Input:
    ids, offsets = read.ids[part], read.offsets[part]
    return Input(ids=[BEGIN, *before, END, END, *ids, END], start=len(before) + 3, offsets=offsets)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids if text else []
    return ids
