"""Sentences that mix Chinese and English, said over in one of them, so that one language's rules can tell what they are.

"我 team 全 remote" is Chinese with English words in it, "我 prefer oat milk" English with a Chinese subject. Neither
needs rules of its own: the words that matter are replaced by those of the other language, and the rest are names. The
outcome is only matched, never kept: what is remembered are the person's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from shared.models.rules.folding import FILLER
from shared.models.rules.glossed_nouns import NOUNS
from shared.models.rules.glosses import ENGLISH_FRAME, VERBS, WORDS

_HAN: Final = r"\u4e00-\u9fff"
_NAME_KEPT: Final = 4
"""How much of a Latin name is kept: Chinese rules count characters, and a name is one word however it is spelled."""

_LATIN = re.compile(r"[A-Za-z]")
_SPACED = re.compile(rf"(?<=[{_HAN}])\s{{1,3}}|\s{{1,3}}(?=[{_HAN}])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+#'/&-]*(?:\s[A-Za-z0-9][A-Za-z0-9_.+#'/&-]*)*")
_KNOWN = re.compile(
    r"(?:Python|JavaScript|Java|SQL|Rust|C\+\+|emoji|markdown|iPad|iPhone|MacBook|Kindle|Switch|Xbox)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Names that Chinese rules spell out."""
_SEAM = re.compile(rf"(?<=[A-Za-z0-9])(?=[{_HAN}])|(?<=[{_HAN}])(?=[A-Za-z0-9])")
_KEEN = re.compile(r"(很|超|挺|蛮|太|不太|不|没那么)\s{0,3}into(?![A-Za-z])", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def _forms(verb: str) -> str:
    """Return a pattern for every regular form of `verb`."""
    return f"{verb[:-1]}(?:e[sd]?|ing)" if verb.endswith("e") else f"{verb}(?:e?s|ed|ing)?"


def _glosses() -> tuple[re.Pattern[str], list[str]]:
    """Return one pattern for all English words, the longest first, and what each of its groups stands for.

    The words are grouped by their first letter, so that few are tried at each.
    """
    glosses = {_forms(verb): han for han, verbs in VERBS.items() for verb in verbs.split()}
    glosses |= {word: han for han, words in (*NOUNS.items(), *WORDS.items()) for word in words.split("|")}
    ordered = sorted(glosses, key=lambda word: (word[0], -len(word)))
    letters = (
        f"{letter}(?:{'|'.join(f'({word[1:]})' for word in words)})"
        for letter, words in groupby(ordered, key=lambda word: word[0])
    )
    pattern = rf"(?<![A-Za-z0-9_'-])(?=[A-Za-z])(?:{'|'.join(letters)})(?:(?<=[{_HAN}])|(?![A-Za-z0-9_'-]))"
    return re.compile(pattern, re.IGNORECASE), [glosses[word] for word in ordered]


def _alternatives(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


_ENGLISH_WORD, _IN_CHINESE = _glosses()
_CHINESE_WORD = _alternatives(ENGLISH_FRAME)


def has_latin(said: str) -> bool:
    """Tell whether a text has Latin letters."""
    return _LATIN.search(said) is not None


def in_chinese(said: str) -> str:
    """Return `said` with English words by their glosses and names cut short, no space beside Chinese characters."""
    if not has_latin(said):
        return _SPACED.sub("", said)
    glossed = _KEEN.sub(lambda found: "不喜欢" if found[1][0] in "不没" else "很喜欢", said)
    glossed = _ENGLISH_WORD.sub(lambda found: _IN_CHINESE[(found.lastindex or 1) - 1], glossed)
    closed = _SPACED.sub("", glossed)
    return _NAME.sub(_cut, closed)


def _cut(name: re.Match[str]) -> str:
    """Return as much of a name as the Chinese rules need."""
    known = _KNOWN.match(name[0])
    return known[0] if known else name[0][:_NAME_KEPT].rstrip()


def in_english(said: str) -> str:
    """Return `said` with the Chinese words of an English frame by their glosses and spaces between the scripts."""
    glossed = _CHINESE_WORD.sub(lambda found: f" {ENGLISH_FRAME[found[0]]} ", said)
    return _SPACES.sub(" ", _SEAM.sub(" ", glossed)).strip(f" {FILLER}")
