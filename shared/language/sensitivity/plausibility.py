"""Whether the text after "my password is" can be a password, rather than talk, a placeholder or an amount."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from shared.language.sensitivity.context import is_placeholder, rule, trimmed
from shared.language.sensitivity.secret_words import DENIED, GENERAL_AFTER, ORDINARY
from shared.language.words import word_lists

_WORDS: Final = word_lists("plausibility")

Span: TypeAlias = tuple[int, int]

_UNIT: Final = rule(_WORDS["unit"], re.IGNORECASE)
_YEAR: Final = rule(
    r"(?:\b(?:in|since|from|of|by|until|till|before|after|year|may|june|july|march)|自|从)\s?$", re.IGNORECASE
)
NOT_A_SECRET: Final = rule(_WORDS["not_a_secret"], re.IGNORECASE)
_END: Final = rule(
    r"[\s\"')]{0,3}(?:$|[.,;:!?\n。、()…—–\-🙂-🫶]|(?:and|but|so|because|lol|haha|pls|please|thanks)\b|[吧啊哦了哈呢])",
    re.IGNORECASE,
)

_STRONG_SHORTEST: Final = 4
_NUMBER_SHORTEST: Final = 3
_WEAK_SHORTEST: Final = 4


def plausible(text: str, found: re.Match[str], *, weak: bool) -> Span | None:
    """Return the span of the value, None if it is talk, a placeholder or a quantity."""
    start = found.start("value")
    end = trimmed(text, *found.span("value"))
    value = text[start:end]
    if (
        is_placeholder(value)
        or NOT_A_SECRET.fullmatch(value)
        or counts(text, found)
        or text[end : end + 1] in {"(", "["}
    ):
        return None
    if looks_secret(value) or (weak and _may_be_a_word(text, value, start, end)):
        return start, end
    return None


def looks_secret(value: str) -> bool:
    """Return whether a value does not look like a word: a number, digits among letters, or signs inside."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits == len(value):
        return digits >= _NUMBER_SHORTEST
    if len(value) < _STRONG_SHORTEST:
        return False
    inner = value[1:-1]
    return bool(digits) or (bool(letters) and any(c in "!@#$%^&*_+=?" for c in inner))


def _may_be_a_word(text: str, value: str, start: int, end: int) -> bool:
    """Return whether a plain word stated as the password can be one: "is sunflower", but not "is wrong"."""
    if " " in value:
        return text[start - 1] == '"'
    if len(value) < _WEAK_SHORTEST or ORDINARY.fullmatch(value) or not _END.match(text, end):
        return False
    return value.isascii()


def counts(text: str, found: re.Match[str]) -> bool:
    """Return whether a number is an amount or a year, or follows words about something else."""
    start, end = found.span("value")
    value = text[start:end]
    gap = text[found.start() : start]
    if DENIED.search(gap) or GENERAL_AFTER.match(text, end):
        return True
    if not value[:1].isdigit():
        return False
    if _UNIT.match(text, trimmed(text, start, end)):
        return True
    return bool(re.fullmatch(r"(?:19|20)\d\d", value)) and _YEAR.search(gap) is not None


def mixed(value: str) -> bool:
    """Return whether a value has digits and letters."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))
