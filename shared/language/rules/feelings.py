"""Feelings the speaker states about something (LT-01).

The word list is short: only words that name a feeling directly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from shared.kernel.emotions import Emotion
from shared.language.words import word_tables

_WORDS: Final = word_tables("feelings")
_ENGLISH: Final[Mapping[str, tuple[float, float]]] = _WORDS["english"]
_CHINESE: Final[Mapping[str, tuple[float, float]]] = _WORDS["chinese"]
"""Valence and arousal by word."""

_FELT: Final = re.compile(
    r"\b(?:i['’]?m|i am|i was|i feel|i felt|i['’]ve been|makes me|made me|feeling)(?P<how>(?: \w+){0,2}?) "
    rf"(?P<word>{'|'.join(_ENGLISH)})\b",
    re.IGNORECASE,
)
_FELT_ZH: Final = re.compile(
    rf"(?:我|让人|感到|觉得|心里|有点|很|好|太|非常|特别|真)(?P<how>[^，。！？,.!?]{{0,4}}?)(?P<word>{'|'.join(_CHINESE)})"
)
_NOT: Final = re.compile(r"\b(?:not|never|no longer|hardly)\b|不|没|别", re.IGNORECASE)


def feeling_in(text: str) -> Emotion | None:
    """Return the feeling a statement of the speaker names; None if it names none or denies it."""
    for pattern, words in ((_FELT, _ENGLISH), (_FELT_ZH, _CHINESE)):
        found = pattern.search(text)
        if found and not _NOT.search(found["how"]):
            valence, arousal = words[found["word"].lower()]
            return Emotion(valence=valence, arousal=arousal, label=found["word"].lower())
    return None
