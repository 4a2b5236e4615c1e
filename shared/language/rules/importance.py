"""Importance of each kind of statement, 1…10 (LT-01). Fixed, so that the same words always get the same value."""

from __future__ import annotations

from typing import Final

from shared.language.candidates import ContentType
from shared.language.rules.phrases import phrase
from shared.language.words import word_lists

_WORDS: Final = word_lists("importance")

LIFE_THREATENING: Final = 10
"""Anaphylaxis, an EpiPen, "it could kill me"."""

SAFETY: Final = 9
"""Allergies, illness, pregnancy, medicine, doctor's orders; topics never to raise."""

ASKED_FOR: Final = 8
"""Minimum for everything the person asked to have remembered."""

LIMIT: Final = 7
"""Diets, budgets, working hours, prohibitions."""

PREFERENCE: Final = 5
FACT: Final = 5
"""All other lasting facts about the person."""

NOTE: Final = 4
"""Text the reader would not keep. It is kept only on request, which raises it to `ASKED_FOR`."""

PASSING: Final = 3
"""One-time events."""

_DEADLY: Final = phrase(_WORDS["deadly"])
_OF_TYPE: Final = {
    "constraint": LIMIT,
    "preference": PREFERENCE,
    "fact": FACT,
    "note": NOTE,
    "episodic": PASSING,
    "task_outcome": PASSING,
}


def of(content_type: ContentType, text: str, *, safety: bool, asked_for: bool = False) -> int:
    """Return the importance of a statement."""
    weight = _OF_TYPE.get(content_type, FACT)
    if safety:
        weight = LIFE_THREATENING if _DEADLY.search(text) else SAFETY
    return max(weight, ASKED_FOR) if asked_for else weight
