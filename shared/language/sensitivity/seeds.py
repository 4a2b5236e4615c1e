"""Seed phrases of wallets: eleven or more words in a row, announced as such or of a typical length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("seeds")

_ANNOUNCED: Final = rule(_WORDS["announced"], re.IGNORECASE)
_FAR: Final = 80
_WORD: Final = r"[A-Za-z]{3,8}"
_NUMBER: Final = r"\d{1,2}[.):、]? ?"
_RUNS: Final = tuple(
    rule(pattern)
    for pattern in (
        rf"(?<![A-Za-z]){_WORD}(?:\s{_WORD}(?![A-Za-z])){{10,30}}",
        rf"(?<![A-Za-z]){_WORD}(?:\s?[,、]\s?{_WORD}(?![A-Za-z])){{10,30}}",
        rf"(?<![A-Za-z]){_WORD}(?:[-_/|]{_WORD}(?![A-Za-z])){{10,30}}",
        rf"(?<!\d){_NUMBER}{_WORD}(?:[\s,、]{{1,2}}{_NUMBER}{_WORD}(?![A-Za-z])){{10,30}}",
        rf"(?<![{HAN}])[{HAN}](?: [{HAN}](?![{HAN}])){{10,30}}",
        rf"(?<![{HAN}])[{HAN}]{{2,4}}(?:[ ,、][{HAN}]{{2,4}}(?![{HAN}])){{10,30}}",
    )
)
_LENGTHS: Final = frozenset({12, 15, 18, 21, 24})
_LINK_WORDS: Final = rule(
    r"(?:(?:phrase|words|seed|was|are|these|following|here|recovery|secret|wallet)\s)+", re.IGNORECASE
)
_PROSE: Final = frozenset(_WORDS["prose"].split("|"))
_PROSE_AT_MOST: Final = 1


def seeds(text: str) -> Iterator[Found]:
    """Find seed phrases, without the words around them."""
    announced = [found.end() for found in _ANNOUNCED.finditer(text)]
    for pattern in _RUNS:
        next_announced = 0
        for run in pattern.finditer(text):
            while next_announced < len(announced) and announced[next_announced] < run.start() - _FAR:
                next_announced += 1
            near = next_announced < len(announced) and announced[next_announced] <= run.end()
            start = run.start()
            if link := _LINK_WORDS.match(text, start):
                start = link.end()
            words = re.findall(_WORD if run[0].isascii() else rf"[{HAN}]+", text[start : run.end()])
            prose = sum(word.lower() in _PROSE for word in words)
            if (near and prose <= _PROSE_AT_MOST) or (not prose and len(words) in _LENGTHS and run[0].islower()):
                yield Found("credential", start, run.end())
