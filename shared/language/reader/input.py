"""Texts as the reader sees them: token ids, and which characters of a text each token stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3
"""The encoder's own tokens, kept in their places."""
TURN_TOKENS: Final = 160
BEFORE_TOKENS: Final = 64
"""Of the turns before, which tell what an answer answers."""
STATEMENT_TOKENS: Final = 72


@dataclass(frozen=True, slots=True)
class Input:
    """Token ids; tokens from `start` on stand for the characters `offsets` of the text that is read."""

    ids: list[int]
    start: int
    offsets: list[tuple[int, int]]

    def tokens_of(self, start: int, end: int) -> list[int]:
        """Return the places of the tokens that stand for any of these characters."""
        return [self.start + n for n, (a, b) in enumerate(self.offsets) if a < end and b > start]


def turn_input(tokenizer: Tokenizer, text: str, *, before: Sequence[tuple[str, str]], skip: int = 0) -> Input:
    """Return what a person says after what was said before, of which two messages count, the assistant's last.

    What they said since then is left out: messages in one breath are read alike, in whatever order.

    Args:
        before: (role, text), oldest first.
        skip: tokens of the turn to pass over: a long turn is read in several pieces.
    """
    said = len(before)
    while said and before[said - 1][0] != "assistant":
        said -= 1
    context = " / ".join(text for _, text in before[max(0, said - 2) : said])
    return _joined(tokenizer, _ids(tokenizer, context)[-BEFORE_TOKENS:], text, slice(skip, skip + TURN_TOKENS))


def pair_input(tokenizer: Tokenizer, first: str, second: str) -> Input:
    """Return two texts beside each other; the offsets are the second's."""
    return _joined(tokenizer, _ids(tokenizer, first)[:STATEMENT_TOKENS], second, slice(STATEMENT_TOKENS))


def _joined(tokenizer: Tokenizer, before: list[int], text: str, part: slice) -> Input:
    read: Any = tokenizer.encode(text, add_special_tokens=False)
    ids, offsets = read.ids[part], read.offsets[part]
    return Input(ids=[BEGIN, *before, END, END, *ids, END], start=len(before) + 3, offsets=offsets)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids if text else []
    return ids
