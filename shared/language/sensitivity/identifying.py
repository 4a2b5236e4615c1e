"""Whether a sentence names a person, place or organisation, or contains a contact or identifier (CN-02).

In privacy mode such a sentence is not learned from. In doubt a word counts as a name: here it is better to learn less.
"""

from __future__ import annotations

import re
from typing import Final

import rjieba

from shared.language.sensitivity.finding import find
from shared.language.words import word_lists

_WORDS: Final = word_lists("identifying")

_NAMES: Final = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
"""rjieba's tags for people, places, organisations and other proper names."""
_TAGGED_WRONGLY: Final = frozenset({"过敏"})
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:\.(?=\S)[^.!?。！？\n]+)*")
_CAPITALISED: Final = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-Þ][\w'’-]*")
_OPENING: Final = re.compile(r"[\s\"'“”‘’(\[*_#>-]*")
_NO_NAMES: Final = frozenset(
    """i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december english chinese mandarin cantonese french german spanish italian
    portuguese russian japanese korean arabic hindi latin markdown json yaml html css sql api apis pdf csv tv ok faq
    """.split()
)
"""Capitalised words that identify nobody: days, months, languages, formats."""
_OPENS_WITH_A_NAME: Final = re.compile(_WORDS["opens_with_a_name"])
_COMMON_OPENING: Final = re.compile(_WORDS["common_opening"], re.IGNORECASE)
_SAYS_WHERE: Final = re.compile(_WORDS["says_where"], re.IGNORECASE)
_SAYS_WHERE_ZH: Final = re.compile(r"我(?:的名字)?(?:叫|姓)|名叫|名字[叫是]|住在(?!家)|来自|老家|户口")


def identifies(text: str, start: int = 0, end: int | None = None) -> bool:
    """Return whether a sentence of a text identifies anybody.

    Args:
        start: with `end`, half-open character offsets: only sentences that overlap them are checked.
    """
    end = len(text) if end is None else end
    return any(one.start() < end and one.end() > start and _identifies(one.group()) for one in _SENTENCE.finditer(text))


def _identifies(sentence: str) -> bool:
    if find(sentence) or _SAYS_WHERE.search(sentence) or _has_a_capital_name(sentence):
        return True
    if not _HAN.search(sentence):
        return False
    return _SAYS_WHERE_ZH.search(sentence) is not None or any(
        tag in _NAMES and word not in _TAGGED_WRONGLY for word, tag in rjieba.tag(sentence)
    )


def _has_a_capital_name(sentence: str) -> bool:
    opening = _OPENING.match(sentence)
    first = opening.end() if opening else 0
    if _OPENS_WITH_A_NAME.match(sentence, first) and not _COMMON_OPENING.match(sentence, first):
        return True
    return any(
        one.start() > first and one.group().casefold().replace("’", "'") not in _NO_NAMES
        for one in _CAPITALISED.finditer(sentence)
    )
