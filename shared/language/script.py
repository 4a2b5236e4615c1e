"""Language detection (English or Chinese), and traditional characters with their simplified forms."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from shared.language.words import word_lists

Language: TypeAlias = Literal["en", "zh"]

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_OTHER_WORD: Final = re.compile(rf"(?:(?!{_HAN.pattern})\w)+")


_CHARACTERS: Final = word_lists("script")
SIMPLIFIED: Final = str.maketrans(_CHARACTERS["traditional"], _CHARACTERS["simplified"])
"""Traditional to simplified, for `str.translate`; the length is kept."""


def language_of(text: str) -> Language:
    """Return the language of a question: Chinese if Chinese characters outnumber other words, otherwise English."""
    return "zh" if len(_HAN.findall(text)) > len(_OTHER_WORD.findall(text)) else "en"
