"""Content words of a sentence, in English, Chinese and mixed text."""

from __future__ import annotations

import re
from typing import Final

from shared.language.rules.folding import fold

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_RUN: Final = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)?")
_HAN_RUN: Final = re.compile(rf"[{_HAN}]")

_FUNCTION_WORDS: Final = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing done don't for from get got had has have having he her here hers him his how i i'd i'll i'm i've if in into
    is isn't it it's its just let let's like me more most much my no not now of off ok okay on once one only or other
    our out over please really right same she should so some such sure than thank thanks that that's the their them
    then there these they thing things this those to too under up us very want was we well were what when where which
    while who why will with would yes you your you're
    """.split()  # noqa: SIM905 # a list of 140 quoted words is not read
)
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
