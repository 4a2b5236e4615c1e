"""Matters that nothing may be inferred from: health, politics, religion, sexuality, ethnicity, union membership, crime,
finances and minors (TR-11; GDPR 9 and 10). Words that name them, in English and Chinese.

Deliberately wide: evidence that is dropped by mistake costs little, an inference from an illness does harm.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, TypeAlias, get_args

from shared.language.script import SIMPLIFIED
from shared.language.words import word_lists

SpecialCategory: TypeAlias = Literal[
    "health", "politics", "religion", "sexuality", "ethnicity", "union", "crime", "finances", "minors"
]


@cache
def _patterns() -> dict[SpecialCategory, re.Pattern[str]]:
    return {
        category: re.compile(f"\\b(?:{words['english']})|{words['chinese']}", re.IGNORECASE)
        for category in get_args(SpecialCategory)
        for words in (word_lists("special", category),)
    }


def special_categories(text: str) -> list[SpecialCategory]:
    """Return the sensitive matters a text names, in the order of `SpecialCategory`."""
    read = text.translate(SIMPLIFIED)
    return [category for category in get_args(SpecialCategory) if _patterns()[category].search(read)]
