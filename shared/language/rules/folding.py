"""Fold a message to a copy of the same length for matching, so that every offset is valid in the original."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from shared.language.script import SIMPLIFIED
from shared.language.words import word_lists

_WORDS: Final = word_lists("folding")

FILLER = "\ufffc"
"""Replaces each character of a quotation, inline code or URL: it belongs to its clause but matches no word."""


class _Folding(dict[int, str]):
    """Maps a code point to one character: NFKC if it stays one, plain spaces, straight quotes, simplified Chinese."""

    def __missing__(self, code: int) -> str:
        compatible = unicodedata.normalize("NFKC", chr(code))
        folded = compatible if len(compatible) == 1 else chr(code)
        if folded.isspace() and folded not in "\t\n":
            folded = " "
        self[code] = folded
        return folded


_FOLDING = _Folding(
    {
        **{old: chr(new) for old, new in SIMPLIFIED.items()},
        **dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), "\n"),
        **dict.fromkeys(map(ord, "‘’ʼ´"), "'"),
        **dict.fromkeys(map(ord, "‐‑‒"), "-"),
    }
)

# Every alternative stops at the next character that could open it again, so unclosed openers stay linear.
_BLOCKS = re.compile(
    _WORDS["blocks"],
    re.MULTILINE | re.DOTALL,
)
_TRANSCRIPT_LINE = re.compile(
    _WORDS["transcript_line"],
    re.MULTILINE | re.IGNORECASE,
)
_INLINE = re.compile(_WORDS["inline"])


_SMALL: Final = re.compile(r"(?<!\d)[.,:/]|[.,:/](?!\d)|(?<=[^\W\d])-(?=[^\W\d])|(?<=\s)-(?!\d)|[^\w+#%.,:/-]|_")
"""What makes no difference between two texts; "1.5 mg" is not "15 mg", nor "A+" "A-", nor "C++" "C#"."""


def letters_of(text: str) -> str:
    """Return what a text says without case, space and punctuation."""
    return _SMALL.sub("", fold(text).casefold())


def fold(text: str) -> str:
    """Return `text` with each character folded on its own; the length is kept."""
    return text.translate(_FOLDING)


def mask(folded: str) -> str:
    """Return `folded` with words that are not the speaker's own made unmatchable; the length is kept.

    Fenced code, lines that start with `>` and lines of a pasted transcript (`Alice: …`) become line ends. Inline code,
    quotations and URLs become `FILLER`.
    """
    own = _BLOCKS.sub(lambda found: "\n" * len(found[0]), folded)
    own = _TRANSCRIPT_LINE.sub(lambda found: "\n" * len(found[0]), own)
    return _INLINE.sub(lambda found: FILLER * len(found[0]), own)
