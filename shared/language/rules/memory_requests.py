"""Explicit requests to remember or not to remember something (LT-05)."""

from __future__ import annotations

from typing import Final

from shared.language.rules.framing import POLITE, POLITE_ZH
from shared.language.rules.phrases import phrase
from shared.language.rules.sentences import Clause
from shared.language.words import word_lists

_WORDS: Final = word_lists("memory_requests", polite=POLITE, polite_zh=POLITE_ZH)


_OPENS = phrase(_WORDS["opens"])
_OPENS_IN_CHINESE = phrase(_WORDS["opens_in_chinese"])
_CLOSES = phrase(_WORDS["closes"])
_REFUSES = phrase(_WORDS["refuses"])
_REFUSES_WITHIN = phrase(_WORDS["refuses_within"])


def content_start(text: str, start: int, end: int) -> int | None:
    """Return where the content of a "remember …" at `start` begins, or None if there is no such request."""
    found = _OPENS.match(text, start, end) or _OPENS_IN_CHINESE.match(text, start, end)
    return None if found is None else found.end()


def points_back(text: str, clause: Clause) -> bool:
    """Return whether `clause` asks to remember the text before it: "…, remember that." / "……，记住了。"."""
    return _CLOSES.match(text, clause.start, clause.end) is not None


def refuses(text: str, clause: Clause) -> bool:
    """Return whether `clause` asks not to keep the message; in doubt it does: who did not mean it says it again."""
    within = _REFUSES_WITHIN.search(text, clause.start, clause.end)
    return within is not None or _REFUSES.match(text, clause.start, clause.end) is not None
