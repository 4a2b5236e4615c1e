"""Full names in Latin letters: two or more capitalised words after words that introduce a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN
from shared.language.words import word_lists

_WORDS: Final = word_lists("english_names")


PERSON: Final = _WORDS["person"]

_INTRODUCED: Final = tuple(map(re.compile, word_lists("english_names", "introduced", han=HAN).values()))
_CAPITALS: Final = re.compile(_WORDS["capitals"])
_LOWER: Final = re.compile(_WORDS["lower"])
_LOWER_ORDINARY: Final = re.compile(_WORDS["lower_ordinary"])
_NOT_PEOPLE: Final = re.compile(_WORDS["not_people"], re.IGNORECASE)
_FAVOURITE: Final = re.compile(_WORDS["favourite"], re.IGNORECASE)
_FIRST_NOT: Final = re.compile(_WORDS["first_not"])
_LAST_NOT: Final = re.compile(_WORDS["last_not"])

_TOLD: Final = re.compile(
    r"\s(?:in|from|of) (?:the|that|this|my favou?rite) (?:movie|film|book|novel|show|series|game|play|anime|comic)"
)
_BEFORE: Final = 24


def names(text: str) -> Iterator[tuple[int, int]]:
    """Find full names as half-open spans."""
    for pattern in _INTRODUCED:
        for found in pattern.finditer(text):
            if _is_a_person(text, found):
                yield found.span("name")
    for found in _CAPITALS.finditer(text):
        yield found.span("name")
    for found in _LOWER.finditer(text):
        if not _LOWER_ORDINARY.search(found["name"]):
            yield found.span("name")


def _is_a_person(text: str, found: re.Match[str]) -> bool:
    groups = found.groupdict()
    words = found["name"].replace(".", "").split()
    if _FIRST_NOT.fullmatch(words[0]) or _LAST_NOT.fullmatch(words[-1]):
        return False
    if _NOT_PEOPLE.fullmatch(groups.get("before") or ""):
        return False
    around = text[max(0, found.start() - _BEFORE) : found.start("name")]
    return not _FAVOURITE.search(around) and not _TOLD.match(text, found.end("name"))
