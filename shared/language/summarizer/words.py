"""Content words of a sentence, in English, Chinese and mixed text."""

from __future__ import annotations

import re
from typing import Final

from shared.language.rules.folding import fold
from shared.language.words import word_set

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_RUN: Final = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)?")
_HAN_RUN: Final = re.compile(rf"[{_HAN}]")

_FUNCTION_WORDS: Final = word_set("function_words")
_FUNCTION_CHARACTERS: Final = frozenset(
    "的了是在我你他她它们吗呢吧啊呀哦嗯就也都和与很这那个有不没会要能可以被把给让对从到着过还再又"
)


def content_words(text: str) -> frozenset[str]:
    """Return the content words of a text, folded; Chinese as pairs of characters."""
    words: set[str] = set()
    for run in _RUN.findall(fold(text).casefold()):
        if not _HAN_RUN.match(run):
            if run not in _FUNCTION_WORDS:
                words.add(_stem(run))
        elif len(run) == 1:
            words.update({run} - _FUNCTION_CHARACTERS)
        else:
            pairs = (run[at : at + 2] for at in range(len(run) - 1))
            words.update(pair for pair in pairs if _FUNCTION_CHARACTERS.isdisjoint(pair))
    return frozenset(words)


def length_in_words(text: str) -> float:
    """Return the approximate number of words; two Chinese characters count as one."""
    return sum(len(run) / 2 if _HAN_RUN.match(run) else 1.0 for run in _RUN.findall(text))


def is_chinese(text: str) -> bool:
    """Return whether a sentence is mostly Chinese."""
    runs = _RUN.findall(text)
    han = sum(len(run) / 2 for run in runs if _HAN_RUN.match(run))
    return han > sum(not _HAN_RUN.match(run) for run in runs)


def _stem(word: str) -> str:
    """Return a word without its plural ending, so that "nut" and "nuts" are equal."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004 # "gas", "bus"
        return word[:-1]
    return word
